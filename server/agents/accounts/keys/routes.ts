import { keyOperations } from '../../../../contract/agents/keys.ts';
import { serve } from '../../../serve.ts';
import { createKey } from './create-key.ts';
import { listKeys } from './list-keys.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateKey } from './rotate-key.ts';

export const agentKeyRoutes = [
  serve(keyOperations.listKeys, listKeys),
  serve(keyOperations.createKey, createKey),
  serve(keyOperations.rotateKey, rotateKey),
  serve(keyOperations.revokeKey, revokeKey),
];
