// What keys/ offers to other folders; everything else in it is private.

export { derivedKey } from './derived-key.ts';
export { issueKey, keyPrefix, parseKey, sameHash } from './format.ts';
export { createKeyCache, type StoredKey } from './key-cache.ts';
export { newWalletMessage, nonceOf, standsHere, type WalletMessage } from './wallet-message.ts';
