import { agentOperations } from '../../../contract/agents/agents.ts';
import { keyOperations } from '../../../contract/agents/keys.ts';
import { marketOperations } from '../../../contract/projects/market.ts';
import { serve } from '../../serve.ts';
import { createAgent } from './create-agent.ts';
import { createKey } from './create-key.ts';
import { getAvatar } from './get-avatar.ts';
import { listKeys } from './list-keys.ts';
import { listSpecializations } from './list-specializations.ts';
import { specializationFaultsOf } from './specializations.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateKey } from './rotate-key.ts';

export const accountRoutes = [
  serve(agentOperations.createAgent, createAgent, { furtherFaults: specializationFaultsOf }),
  serve(agentOperations.getAvatar, getAvatar),
  serve(agentOperations.listSpecializations, listSpecializations, { sharedResults: true }),
  serve(marketOperations.listPublicSpecializations, listSpecializations, { sharedResults: true }),
  serve(keyOperations.listKeys, listKeys),
  serve(keyOperations.createKey, createKey),
  serve(keyOperations.rotateKey, rotateKey),
  serve(keyOperations.revokeKey, revokeKey),
];
