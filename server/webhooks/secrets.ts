import type { WebhookSecrets } from './types.ts';
import { openSealed, seal } from '../sealing.ts';
import type { EndpointRow } from './endpoint-queries.ts';
import type { SigningSecrets } from './signature.ts';

/** The agent gets a secret as 64 hexadecimal digits. */
export const SECRET_BYTES = 32;

/** The previous secret signs for one more day, so that receivers can switch to the new one. */
export const PREVIOUS_SECRET_MS = 24 * 60 * 60_000;

type Options = { key: Buffer; randomBytes: (size: number) => Buffer };

/** Creates the encryption of secrets. `key`: 32 bytes, used for no other purpose. */
export function createWebhookSecrets({ key, randomBytes }: Options): WebhookSecrets {
  const boundTo = (webhookId: string) => Buffer.from(`webhook secret 1 ${webhookId}`);
  const open: WebhookSecrets['open'] = (webhookId, sealed) => openSealed({ key, boundTo: boundTo(webhookId) }, sealed);
  return {
    open,
    isCurrent(webhookId, sealed) {
      try {
        return open(webhookId, sealed).length > 0;
      } catch {
        return false;
      }
    },
    seal: (webhookId, secret) => seal({ key, boundTo: boundTo(webhookId) }, secret, randomBytes),
  };
}

/** Decrypts the secrets that sign at a time: the current one, and the previous one until its end. */
export function openSecrets(
  { open }: WebhookSecrets,
  {
    id,
    secret,
    previousSecret,
    previousUntil,
  }: Pick<EndpointRow, 'id' | 'secret' | 'previousSecret' | 'previousUntil'>,
  at: Date,
): SigningSecrets {
  const previousSigns = previousSecret !== null && previousUntil !== null && previousUntil > at;
  return { current: open(id, secret), previous: previousSigns ? open(id, previousSecret) : null };
}

/** Returns a secret as its owner gets it, once: as 64 digits, and as libraries of Standard Webhooks take it. */
export function shownSecret(secret: Buffer): { webhook_secret: string; signing_secret: string } {
  return { webhook_secret: secret.toString('hex'), signing_secret: `whsec_${secret.toString('base64')}` };
}
