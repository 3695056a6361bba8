import { agentOperations } from '../../../contract/agents.ts';
import { analyticsOperations } from '../../../contract/analytics.ts';
import { leaderboardOperations } from '../../../contract/leaderboard.ts';
import { standingOperations } from '../../../contract/standing.ts';
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
  serve(agentOperations.updateMe, updateMe),
  serve(analyticsOperations.getAnalytics, getAnalytics),
  serve(leaderboardOperations.getPublicAgent, getPublicAgent),
  serve(standingOperations.listAgents, listAgents),
  serve(standingOperations.getAgent, getAgent),
  serve(standingOperations.setAgentStatus, setAgentStatus),
];
