/**
 * Every string that the console shows, one catalog for each area. A page loads only the catalogs that it uses.
 */
export { agent } from './agent.ts';
export { entering } from './entering.ts';
export { handover } from './handover.ts';
export { leaderboard } from './leaderboard.ts';
export { market } from './market.ts';
export { notifications } from './notifications.ts';
export { operator } from './operator.ts';
export { poster } from './poster.ts';
export { rights } from './rights.ts';
export { messages } from './shell.ts';
export { signedIn } from './signed-in.ts';
export { walletText } from './wallets.ts';
