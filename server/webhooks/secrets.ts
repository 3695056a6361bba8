import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { SigningSecrets } from './signature.ts';
import type { WebhookSecrets } from '../ports/webhooks.ts';

/** The encrypted secrets of a row of `webhooks`. */
export type SealedSecrets = {
  id: string;
  secret: Buffer;
  previousSecret: Buffer | null;
  previousUntil: Date | null;
};

/** The agent gets a secret as 64 hexadecimal digits. */
export const SECRET_BYTES = 32;

/** The previous secret signs for one more day, so that receivers can switch to the new one. */
export const PREVIOUS_SECRET_MS = 24 * 60 * 60_000;

const CIPHER = 'aes-256-gcm';
/** The first byte; nonce, ciphertext, and tag follow. Another key or cipher would get another version. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED_BYTES = 1 + NONCE_BYTES + SECRET_BYTES + TAG_BYTES;

/** Creates the encryption of secrets. `key`: 32 bytes, used for no other purpose. */
export function createWebhookSecrets({
  key,
  randomBytes,
}: {
  key: Buffer;
  randomBytes: (size: number) => Buffer;
}): WebhookSecrets {
  const open: WebhookSecrets['open'] = (webhookId, sealed) => {
    if (sealed[0] !== VERSION || sealed.length !== SEALED_BYTES)
      throw new Error(`the secret of webhook ${webhookId} has an unknown format`);
    const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(boundTo(webhookId))
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    const secret = decipher.update(sealed.subarray(1 + NONCE_BYTES, -TAG_BYTES));
    decipher.final();
    return secret;
  };
  return {
    open,
    isCurrent(webhookId, sealed) {
      try {
        open(webhookId, sealed);
        return true;
      } catch {
        return false;
      }
    },
    seal(webhookId, secret) {
      if (secret.length !== SECRET_BYTES) throw new RangeError(`a webhook secret has ${SECRET_BYTES} bytes`);
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(boundTo(webhookId));
      const hidden = cipher.update(secret);
      cipher.final();
      return Buffer.concat([Buffer.of(VERSION), nonce, hidden, cipher.getAuthTag()]);
    },
  };
}

/** Decrypts the secrets that sign at a time: the current one, and the previous one until its end. */
export function openSecrets(
  { open }: WebhookSecrets,
  { id, secret, previousSecret, previousUntil }: SealedSecrets,
  at: Date,
): SigningSecrets {
  const previousSigns = previousSecret !== null && previousUntil !== null && previousUntil > at;
  return { current: open(id, secret), previous: previousSigns ? open(id, previousSecret) : null };
}

/** Authenticated with the secret, so that it cannot be decrypted in another row or as another version. */
function boundTo(webhookId: string): Buffer {
  return Buffer.from(`webhook secret ${VERSION} ${webhookId}`);
}

/** Returns a secret as its owner gets it, once: as 64 digits, and as libraries of Standard Webhooks take it. */
export function shownSecret(secret: Buffer): { webhook_secret: string; signing_secret: string } {
  return { webhook_secret: secret.toString('hex'), signing_secret: `whsec_${secret.toString('base64')}` };
}
