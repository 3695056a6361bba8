import { createHmac, hkdfSync } from 'node:crypto';
import type { AnswerSeals } from './types.ts';
import { openSealed, seal } from '../sealing.ts';

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
      const sealKey = { key: parts.subarray(PART_BYTES, 2 * PART_BYTES), boundTo: id };
      const printKey = parts.subarray(2 * PART_BYTES);
      return {
        id,
        fingerprint: (request) => createHmac('sha256', printKey).update(request).digest(),
        seal: (answer) => seal(sealKey, Buffer.from(answer), randomBytes),
        open: (sealed) => openSealed(sealKey, sealed).toString('utf8'),
      };
    },
  };
}
