import { createHmac, hash, hkdfSync } from 'node:crypto';
import type { AnswerSeals } from './types.ts';
import { openSealed, seal } from '../sealing.ts';

const PART_BYTES = 32;

/**
 * Creates seals from `key`: 32 bytes for this purpose alone. Each answer has its own key, derived from `key` and from the
 * client's Idempotency-Key. So neither the database nor the service's secrets open an answer without the client. The id and
 * the fingerprint follow from the client's key alone, so processes with different SECRETS_KEYs find the same row.
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
      // A hash first, because it takes text of any length; HKDF's `info` is limited to 1 KB.
      const root = hash('sha256', JSON.stringify([scope, idempotencyKey]), 'buffer');
      const derived = (from: Buffer, purpose: string) => Buffer.from(hkdfSync('sha256', from, '', purpose, PART_BYTES));
      const id = derived(root, 'id');
      const printKey = derived(root, 'fingerprint');
      const sealKey = { key: derived(createHmac('sha256', key).update(root).digest(), 'answer'), boundTo: id };
      return {
        id,
        fingerprint: (request) => createHmac('sha256', printKey).update(request).digest(),
        seal: (answer) => seal(sealKey, Buffer.from(answer), randomBytes),
        open: (sealed) => openSealed(sealKey, sealed).toString('utf8'),
      };
    },
  };
}
