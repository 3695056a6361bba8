import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
/** The first byte; nonce, ciphertext, and tag follow. Another cipher would get another version. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A key of 32 bytes, and what its seals are bound to: they open nowhere else. */
export type SealKey = { key: Buffer; boundTo: Buffer };

/** Derives 32 bytes for one purpose from SECRETS_KEY. */
export function derivedKey(secretsKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(secretsKey, 'hex'), '', purpose, 32));
}

export function seal({ key, boundTo }: SealKey, plain: Buffer, randomBytes: (size: number) => Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(boundTo);
  const hidden = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, hidden, cipher.getAuthTag()]);
}

/** @throws Error for data that was not sealed with this key */
export function openSealed({ key, boundTo }: SealKey, sealed: Buffer): Buffer {
  if (sealed[0] !== VERSION || sealed.length < 1 + NONCE_BYTES + TAG_BYTES)
    throw new Error('sealed data has an unknown format');
  const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(boundTo)
    .setAuthTag(sealed.subarray(-TAG_BYTES));
  const shown = decipher.update(sealed.subarray(1 + NONCE_BYTES, -TAG_BYTES));
  return Buffer.concat([shown, decipher.final()]);
}
