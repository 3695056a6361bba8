// signer/ offers both sides of the treasury's key: the service that asks for a transfer, and the process that signs it. The
// rest is private.

// The service's side: the treasury whose key another process holds.
export { createRemoteTreasury } from './remote-treasury.ts';
// The signer's side, for its command.
export { listenForTransfers } from './listen.ts';
export type { SignerRules } from './rules.ts';
export { openSignedAmounts } from './signed-amounts.ts';
