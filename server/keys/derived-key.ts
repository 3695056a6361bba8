import { hkdfSync } from 'node:crypto';

/** One root (SECRETS_KEY), a key of its own for each purpose. */
export function derivedKey(secretsKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(secretsKey, 'hex'), '', purpose, 32));
}
