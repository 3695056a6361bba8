// The interface of signer/. The other files of the folder are private.

// The service's side: the treasury whose key another process holds.
export { createRemoteTreasury } from './remote-treasury.ts';
// The signer's side, for its command.
export { listenForTransfers } from './listen.ts';
export type { SignerRules } from './rules.ts';
export { openSignedAmounts } from './signed-amounts.ts';
