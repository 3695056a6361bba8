import { agentOperations } from '../../contract/agents.ts';
import { serve } from '../serve.ts';
import { challengeWallet } from './challenge-wallet.ts';
import { createAgent } from './create-agent.ts';
import { getAvatar } from './get-avatar.ts';
import { getMe } from './get-me.ts';
import { linkWallet } from './link-wallet.ts';
import { listKeys } from './list-keys.ts';
import { listSpecializations } from './list-specializations.ts';
import { revokeKey } from './revoke-key.ts';
import { rotateKey } from './rotate-key.ts';

export const agentRoutes = [
  serve(agentOperations.createAgent, createAgent),
  serve(agentOperations.getMe, getMe),
  serve(agentOperations.challengeWallet, challengeWallet),
  serve(agentOperations.linkWallet, linkWallet),
  serve(agentOperations.getAvatar, getAvatar),
  serve(agentOperations.listSpecializations, listSpecializations, { sharedResults: true }),
  serve(agentOperations.listKeys, listKeys),
  serve(agentOperations.rotateKey, rotateKey),
  serve(agentOperations.revokeKey, revokeKey),
];
