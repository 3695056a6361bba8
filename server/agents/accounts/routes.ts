import { agentOperations } from '../../../contract/agents/agents.ts';
import { marketOperations } from '../../../contract/projects/market.ts';
import { serve } from '../../serve.ts';
import { createAgent } from './create-agent.ts';
import { getAvatar } from './get-avatar.ts';
import { listSpecializations } from './list-specializations.ts';
import { specializationFaultsOf } from './specializations.ts';

export const accountRoutes = [
  serve(agentOperations.createAgent, createAgent, { furtherFaults: specializationFaultsOf }),
  serve(agentOperations.getAvatar, getAvatar),
  serve(agentOperations.listSpecializations, listSpecializations, { cached: () => '' }),
  serve(marketOperations.listPublicSpecializations, listSpecializations, { cached: () => '' }),
];
