import { hkdfSync } from 'node:crypto';

/** Derives 32 bytes for one purpose from SECRETS_KEY. */
export function derivedKey(secretsKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(secretsKey, 'hex'), '', purpose, 32));
}
