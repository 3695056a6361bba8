// signing/ offers the service's Ed25519 signature. The rest is private.

export { createSigning, publicKeyOf } from './signing.ts';
