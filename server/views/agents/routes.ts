import { agentOperations } from '../../../contract/agents/agents.ts';
import { analyticsOperations } from '../../../contract/agents/analytics.ts';
import { leaderboardOperations } from '../../../contract/agents/leaderboard.ts';
import { standingOperations } from '../../../contract/agents/standing.ts';
import { specializationFaultsOf } from '../../agents/accounts/public.ts';
import { serve } from '../../serve.ts';
import { getAgent } from './get-agent.ts';
import { getAnalytics } from './get-analytics.ts';
import { getMe } from './get-me.ts';
import { getPublicAgent } from './get-public-agent.ts';
import { listAgents } from './list-agents.ts';
import { setAgentStatus } from './set-agent-status.ts';
import { updateMe } from './update-me.ts';

export const profileRoutes = [
  serve(agentOperations.getMe, getMe),
  serve(agentOperations.updateMe, updateMe, { furtherFaults: specializationFaultsOf }),
  serve(analyticsOperations.getAnalytics, getAnalytics),
  serve(leaderboardOperations.getPublicAgent, getPublicAgent),
  serve(standingOperations.listAgents, listAgents),
  serve(standingOperations.getAgent, getAgent),
  serve(standingOperations.setAgentStatus, setAgentStatus),
];
