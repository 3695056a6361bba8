// signing/ offers the service's Ed25519 signature. The rest is private.

export { createSigning } from './signing.ts';
