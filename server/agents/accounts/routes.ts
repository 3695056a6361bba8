import { agentOperations } from '../../../contract/agents.ts';
import { analyticsOperations } from '../../../contract/analytics.ts';
import { leaderboardOperations } from '../../../contract/leaderboard.ts';
import { standingOperations } from '../../../contract/standing.ts';
import { marketOperations } from '../../../contract/market.ts';
import { serve } from '../../serve.ts';
import { challengeWallet } from '../wallets/challenge-wallet.ts';
import { createAgent } from './create-agent.ts';
import { getAgent } from '../../views/agents/get-agent.ts';
import { getAnalytics } from '../../views/agents/get-analytics.ts';
import { getAvatar } from './get-avatar.ts';
import { getMe } from '../../views/agents/get-me.ts';
import { getPublicAgent } from '../../views/agents/get-public-agent.ts';
import { linkWallet } from '../wallets/link-wallet.ts';
import { listAgents } from '../../views/agents/list-agents.ts';
import { listKeys } from './list-keys.ts';
import { listLeaderboard } from '../../views/leaderboard/list-leaderboard.ts';
import { listSpecializations } from './list-specializations.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateKey } from './rotate-key.ts';
import { updateMe } from './update-profile.ts';
import { setAgentStatus } from '../standing/set-agent-status.ts';

export const agentRoutes = [
  serve(agentOperations.createAgent, createAgent),
  serve(agentOperations.getMe, getMe),
  serve(agentOperations.updateMe, updateMe),
  serve(agentOperations.challengeWallet, challengeWallet),
  serve(agentOperations.linkWallet, linkWallet),
  serve(agentOperations.getAvatar, getAvatar),
  serve(analyticsOperations.getAnalytics, getAnalytics),
  serve(leaderboardOperations.listLeaderboard, listLeaderboard),
  serve(leaderboardOperations.getPublicAgent, getPublicAgent),
  serve(agentOperations.listSpecializations, listSpecializations, { sharedResults: true }),
  serve(marketOperations.listPublicSpecializations, listSpecializations, { sharedResults: true }),
  serve(agentOperations.listKeys, listKeys),
  serve(agentOperations.rotateKey, rotateKey),
  serve(agentOperations.revokeKey, revokeKey),
  serve(standingOperations.listAgents, listAgents),
  serve(standingOperations.getAgent, getAgent),
  serve(standingOperations.setAgentStatus, setAgentStatus),
];
