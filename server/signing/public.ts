// The service's Ed25519 signature. Everything else in this folder is private.

export { createSigning } from './signing.ts';
