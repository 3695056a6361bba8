// posters/ offers posters: their operations, authentication by key and by cookie, names, and suspension. The rest is
// private.

// Authentication by session cookie and by API key.
export { createSessionAuthenticator, createPosterAuthenticator } from './authenticate.ts';

// The poster of a wallet.
export { findPosterOfWallet } from './session-queries.ts';

// The public names of posters.
export { posterNames } from './queries.ts';

// Suspended posters publish nothing new.
export { lockMayPublish, isSuspended, requireMayPublish } from './suspension.ts';
