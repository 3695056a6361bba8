// agents/wallets/ offers linked wallets: their operations, the job that makes changes take effect, and who owns a wallet.
// The rest is private.

// Recurring work: pending wallets take effect.
export { applyWalletChanges } from './apply-wallet-changes.ts';

// The wallet part of an agent's own profile.
export { pendingChange, walletProfile } from './wallet-profile.ts';

// The agents of a wallet, and the condition for statements of other domains.
export { agentsOfWallet, isNoPayee, linkedWallet } from './wallet-queries.ts';
