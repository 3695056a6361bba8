// API keys, session tokens, and sign-in messages of wallets: the public interface of keys/.

export { derivedKey } from './derived-key.ts';
export { issueKey, keyPrefix, parseKey, sameHash } from './format.ts';
export { createKeyCache, type StoredKey } from './key-cache.ts';
export { readTogether } from './read-together.ts';
export { requireScope } from './require-scope.ts';
export { newWalletMessage, nonceOf, messageProblem, type WalletMessage } from './wallet-message.ts';
export { requireSignedChallenge, unknownChallenge } from './wallet-sign-in.ts';
export { sessionEnd, SESSION_SECONDS, shouldExtend } from './session-times.ts';
export { createUseTimes, type Use, type UseTimes } from './use-times.ts';
