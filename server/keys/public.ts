// keys/ offers API keys, browser sessions, and challenges of wallets, for every kind of account. The rest is private.

// The format of keys, their cache, and the record of their use.
export { issueKey, keyPrefix, sameHash } from './format.ts';
export { createKeyCache, type StoredKey } from './key-cache.ts';
export { requireScope, addKey, requireKey } from './account-keys.ts';
export { keyUse, recordKeyUse, recordUse } from './key-use.ts';

// API keys of an agent or a poster.
export { findKeys, type KeyRow, listKeysOf } from './key-queries.ts';

// Browser sessions.
export { createSessionCache, endSessions, sessionPrefix, startSession } from './account-sessions.ts';
export {
  claimConfirmation,
  extendSession,
  findOperatorPart,
  findSession,
  insertSession,
  listSessions,
  type OperatorPart,
  recordConfirmation,
  type SessionRow,
} from './session-queries.ts';

// What a wallet signs to sign in, or to be linked.
export { createChallenge, requireSignature, requireSignedChallenge, useChallenge } from './challenges.ts';
export type { WalletMessage } from './wallet-message.ts';
