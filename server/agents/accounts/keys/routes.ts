import { keyOperations } from '../../../../contract/agents/keys.ts';
import { serve } from '../../../serve.ts';
import { createKey, listKeys, revokeKey } from './account-keys.ts';
import { rotateKey } from './rotate-key.ts';

export const agentKeyRoutes = [
  serve(keyOperations.listKeys, listKeys),
  serve(keyOperations.createKey, createKey),
  serve(keyOperations.rotateKey, rotateKey),
  serve(keyOperations.revokeKey, revokeKey),
];
