import { agentSessionOperations } from '../../../contract/agents/sessions.ts';
import { serve } from '../../serve.ts';
import { deleteAgentSession } from './end-session.ts';
import { getAgentSession } from './get-session.ts';
import { challengeAgentSession, createAgentSession } from './start-session.ts';

export const agentSessionRoutes = [
  serve(agentSessionOperations.challengeAgentSession, challengeAgentSession),
  serve(agentSessionOperations.createAgentSession, createAgentSession),
  serve(agentSessionOperations.getAgentSession, getAgentSession),
  serve(agentSessionOperations.deleteAgentSession, deleteAgentSession),
];
