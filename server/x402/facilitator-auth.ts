import { createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';

/** How the service proves itself to a remote facilitator: with a bearer token, or with a key of Coinbase's platform. */
export type FacilitatorAuth = { token: string } | { keyId: string; keySecret: string; newNonce: () => string };

type AuthHeaders = Record<'verify' | 'settle' | 'supported', Record<string, string>>;

const ED25519_BYTES = 64;

/**
 * Returns a function that makes the headers of the three requests to the facilitator.
 *
 * @throws Error if the secret of Coinbase's key is none
 */
export function createAuthHeaders(auth: FacilitatorAuth, url: string): () => Promise<AuthHeaders> {
  if ('token' in auth) {
    const headers = bearer(auth.token.replace(/^bearer +/i, ''));
    return async () => ({ verify: headers, settle: headers, supported: headers });
  }
  const { keyId, newNonce } = auth;
  const key = readCdpSecret(auth.keySecret);
  const { host, pathname } = new URL(url);
  // Each token is good for one method and one path.
  const tokenFor = async (request: string, path: string): Promise<Record<string, string>> => {
    const jwt = new SignJWT({ uris: [`${request} ${host}${pathname.replace(/\/$/, '')}/${path}`] })
      .setProtectedHeader({ alg: algorithmOf(key), kid: keyId, typ: 'JWT', nonce: newNonce() })
      .setIssuer('cdp')
      .setSubject(keyId)
      .setIssuedAt()
      .setNotBefore('0 s')
      .setExpirationTime('2 min');
    return bearer(await jwt.sign(key));
  };
  return async () => {
    const [verify, settle, supported] = await Promise.all([
      tokenFor('POST', 'verify'),
      tokenFor('POST', 'settle'),
      tokenFor('GET', 'supported'),
    ]);
    return { verify, settle, supported };
  };
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

const algorithmOf = ({ asymmetricKeyType }: KeyObject): string => (asymmetricKeyType === 'ec' ? 'ES256' : 'EdDSA');

/**
 * Reads a secret as Coinbase hands it out: the two halves of an Ed25519 key in base64, or an elliptic curve key as PEM, often
 * on one line with `\n`.
 *
 * @throws Error if it is neither
 */
function readCdpSecret(secret: string): KeyObject {
  if (secret.includes('-----BEGIN')) return createPrivateKey(secret.replaceAll(String.raw`\n`, '\n'));
  const bytes = Buffer.from(secret, 'base64');
  if (bytes.length !== ED25519_BYTES) throw new Error('an Ed25519 key in base64, or an EC key as PEM');
  const half = (from: number) => bytes.subarray(from, from + ED25519_BYTES / 2).toString('base64url');
  const key = { kty: 'OKP', crv: 'Ed25519', d: half(0), x: half(ED25519_BYTES / 2) };
  return createPrivateKey({ key, format: 'jwk' });
}
