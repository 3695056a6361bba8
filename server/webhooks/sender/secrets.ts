import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { SigningSecrets } from './signature.ts';
import type { WebhookSecrets } from '../../ports/webhooks.ts';

/** As they stand in a row of `webhooks`. */
export type SealedSecrets = {
  id: string;
  secret: Buffer;
  previousSecret: Buffer | null;
  previousUntil: Date | null;
};

/** A secret of this many bytes is the 64 hex digits that its agent gets. */
export const SECRET_BYTES = 32;

const CIPHER = 'aes-256-gcm';
// What follows: nonce, ciphertext, tag. Another key or cipher would be another version, told apart row by row.
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED_BYTES = 1 + NONCE_BYTES + SECRET_BYTES + TAG_BYTES;

/** `key`: 32 bytes that serve this purpose alone. */
export function createWebhookSecrets({
  key,
  randomBytes,
}: {
  key: Buffer;
  randomBytes: (size: number) => Buffer;
}): WebhookSecrets {
  return {
    seal(webhookId, secret) {
      if (secret.length !== SECRET_BYTES) throw new RangeError(`a webhook secret has ${SECRET_BYTES} bytes`);
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(boundTo(webhookId));
      const hidden = cipher.update(secret);
      cipher.final();
      return Buffer.concat([Buffer.of(VERSION), nonce, hidden, cipher.getAuthTag()]);
    },
    open(webhookId, sealed) {
      if (sealed[0] !== VERSION || sealed.length !== SEALED_BYTES)
        throw new Error(`the secret of webhook ${webhookId} is in no form that is known here`);
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(boundTo(webhookId))
        .setAuthTag(sealed.subarray(-TAG_BYTES));
      const secret = decipher.update(sealed.subarray(1 + NONCE_BYTES, -TAG_BYTES));
      decipher.final();
      return secret;
    },
  };
}

/** The secrets that sign at a time: the replaced one has an end. */
export function openSecrets(
  { open }: WebhookSecrets,
  { id, secret, previousSecret, previousUntil }: SealedSecrets,
  at: Date,
): SigningSecrets {
  const signsStill = previousSecret !== null && previousUntil !== null && previousUntil > at;
  return { current: open(id, secret), previous: signsStill ? open(id, previousSecret) : null };
}

/** Moved to another row, or taken for another version, it does not open. */
function boundTo(webhookId: string): Buffer {
  return Buffer.from(`webhook secret ${VERSION} ${webhookId}`);
}
