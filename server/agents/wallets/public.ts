// What agents/wallets/ offers to other folders; everything else in it is private.

export { walletRoutes } from './routes.ts';
export { walletBlock } from './wallet-profile.ts';
export { provenWallet } from './wallet-queries.ts';
