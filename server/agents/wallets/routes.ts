import { agentOperations } from '../../../contract/agents/agents.ts';
import { serve } from '../../serve.ts';
import { cancelWalletChange } from './cancel-wallet-change.ts';
import { challengeWallet } from './challenge-wallet.ts';
import { linkWallet } from './link-wallet.ts';

export const walletRoutes = [
  serve(agentOperations.challengeWallet, challengeWallet),
  serve(agentOperations.linkWallet, linkWallet),
  serve(agentOperations.cancelWalletChange, cancelWalletChange),
];
