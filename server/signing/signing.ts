import { createPrivateKey, createPublicKey, hash, type KeyObject, sign } from 'node:crypto';
import { CompactSign } from 'jose';
import { derivedKey } from '../sealing.ts';
import type { PublicJwk, Signing } from './types.ts';

// PKCS #8 for Ed25519 (RFC 8410): this prefix, then the 32 bytes of the private key.
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

export type SigningOptions = {
  secretsKey: string;
  /** The public parts (`x`) of the keys of earlier SECRETS_KEYs, and of the next one. */
  earlierKeys: readonly string[];
  publicUrl: string;
};

/**
 * Creates the service's signature. Its key depends only on SECRETS_KEY, so every process signs alike and nothing has to be
 * stored.
 */
export function createSigning({ secretsKey, earlierKeys, publicUrl }: SigningOptions): Signing {
  const did = didOf(publicUrl);
  const privateKey = signingKey(secretsKey);
  const own = publicJwk(did, publicKeyOf(secretsKey));
  const keys = [own, ...earlierKeys.map((x) => publicJwk(did, x))];
  const { kid } = own;
  return {
    kid,
    keys,
    didDocument: didDocument(did, keys),
    sign: (bytes) => sign(null, bytes, privateKey).toString('base64url'),
    signClaims: async (typ, claims) =>
      await new CompactSign(Buffer.from(JSON.stringify(claims)))
        .setProtectedHeader({ alg: 'EdDSA', kid, typ })
        .sign(privateKey),
  };
}

/** Returns the DID of an address: its host, with the colon before a port encoded, as did:web demands. */
export function didOf(publicUrl: string): string {
  return `did:web:${encodeURIComponent(new URL(publicUrl).host)}`;
}

function signingKey(secretsKey: string): KeyObject {
  const seed = derivedKey(secretsKey, 'signing key');
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
}

/** Returns the public part `x` of the key that a SECRETS_KEY signs with. */
export function publicKeyOf(secretsKey: string): string {
  const { x } = createPublicKey(signingKey(secretsKey)).export({ format: 'jwk' });
  if (!x) throw new Error('an Ed25519 key has no public part');
  return x;
}

/** The id contains the thumbprint (RFC 7638), so a key keeps its id when another one signs. */
function publicJwk(did: string, x: string): PublicJwk {
  const thumbprint = hash('sha256', JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }), 'base64url');
  return { kty: 'OKP', crv: 'Ed25519', x, kid: `${did}#key-${thumbprint}`, use: 'sig', alg: 'EdDSA' };
}

function didDocument(did: string, keys: PublicJwk[]): Record<string, unknown> {
  const ids = keys.map(({ kid }) => kid);
  return {
    id: did,
    verificationMethod: keys.map((publicKeyJwk) => ({
      id: publicKeyJwk.kid,
      type: 'JsonWebKey2020',
      controller: did,
      publicKeyJwk,
    })),
    assertionMethod: ids,
  };
}
