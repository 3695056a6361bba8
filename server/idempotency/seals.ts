import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import type { AnswerSeals } from '../ports/idempotency.ts';

const CIPHER = 'aes-256-gcm';
// The version byte is followed by nonce, ciphertext, and tag.
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PART_BYTES = 32;

/**
 * Creates seals from `key`: 32 bytes for this purpose alone. Each answer has its own key, derived from `key` and from the
 * client's Idempotency-Key. So neither the database nor the service's secrets open an answer without the client.
 */
export function createAnswerSeals({
  key,
  randomBytes,
}: {
  key: Buffer;
  randomBytes: (size: number) => Buffer;
}): AnswerSeals {
  return {
    of(scope, idempotencyKey) {
      // HMAC first, because it takes text of any length; HKDF's `info` is limited to 1 KB.
      const root = createHmac('sha256', key)
        .update(JSON.stringify([scope, idempotencyKey]))
        .digest();
      const parts = Buffer.from(hkdfSync('sha256', root, '', 'idempotent answer', 3 * PART_BYTES));
      const id = parts.subarray(0, PART_BYTES);
      const cipherKey = parts.subarray(PART_BYTES, 2 * PART_BYTES);
      const printKey = parts.subarray(2 * PART_BYTES);
      return {
        id,
        fingerprint: (request) => createHmac('sha256', printKey).update(request).digest(),
        seal(answer) {
          const nonce = randomBytes(NONCE_BYTES);
          const cipher = createCipheriv(CIPHER, cipherKey, nonce, { authTagLength: TAG_BYTES }).setAAD(id);
          const hidden = Buffer.concat([cipher.update(answer, 'utf8'), cipher.final()]);
          return Buffer.concat([Buffer.of(VERSION), nonce, hidden, cipher.getAuthTag()]);
        },
        open(sealed) {
          if (sealed[0] !== VERSION) throw new Error('a stored answer has an unknown version');
          const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
          const decipher = createDecipheriv(CIPHER, cipherKey, nonce, { authTagLength: TAG_BYTES })
            .setAAD(id)
            .setAuthTag(sealed.subarray(-TAG_BYTES));
          const shown = decipher.update(sealed.subarray(1 + NONCE_BYTES, -TAG_BYTES));
          return Buffer.concat([shown, decipher.final()]).toString('utf8');
        },
      };
    },
  };
}
