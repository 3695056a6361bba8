import { withTransaction } from '../db/public.ts';
import type { Deps } from '../deps.ts';
import { openSealed, seal } from '../sealing.ts';
import { type EndpointRow, lockEndpoint, saveEndpoint } from './endpoint-queries.ts';
import type { SigningSecrets } from './signature.ts';
import type { WebhookSecrets } from './types.ts';

/** The agent gets a secret as 64 hexadecimal digits. */
const SECRET_BYTES = 32;

/** The previous secret signs for one more day, so that receivers can switch to the new one. */
const PREVIOUS_SECRET_MS = 24 * 60 * 60_000;

type Keys = { key: Buffer } & Pick<Deps, 'randomBytes'>;

/** Creates the encryption of secrets. `key`: 32 bytes, used for no other purpose. */
export function createWebhookSecrets({ key, randomBytes }: Keys): WebhookSecrets {
  const keyOf = (webhookId: string) => ({ key, boundTo: Buffer.from(`webhook secret 1 ${webhookId}`) });
  const open = (webhookId: string, sealed: Buffer) => openSealed(keyOf(webhookId), sealed);
  return {
    open,
    isCurrent(webhookId, sealed) {
      try {
        return open(webhookId, sealed).length > 0;
      } catch {
        return false;
      }
    },
    seal: (webhookId, secret) => seal(keyOf(webhookId), secret, randomBytes),
  };
}

type SealedSecrets = Pick<EndpointRow, 'id' | 'secret' | 'previousSecret' | 'previousUntil'>;

/** Decrypts the secrets that sign at a time: the current one, and the previous one until its end. @throws Error */
export function openSecrets(
  { open }: WebhookSecrets,
  { id, secret, previousSecret, previousUntil }: SealedSecrets,
  at: Date,
): SigningSecrets {
  const previousSigns = previousSecret !== null && previousUntil !== null && previousUntil > at;
  const opened = (sealed: Buffer) => {
    try {
      return open(id, sealed);
    } catch {
      return null;
    }
  };
  const current = opened(secret);
  if (!current)
    throw new Error('the secret is under none of the accepted SECRETS_KEYs: add its key to SECRETS_KEYS_ACCEPTED');
  // Without the key of the previous one, the owner can still replace the secret and be served at once.
  return { current, previous: previousSigns ? opened(previousSecret) : null };
}

/** Makes a secret. `shown` is what its owner gets, once: 64 digits, and the form that libraries of Standard Webhooks take. */
export function newSecret({ randomBytes, webhookSecrets }: Pick<Deps, 'randomBytes' | 'webhookSecrets'>, id: string) {
  const secret = randomBytes(SECRET_BYTES);
  return {
    sealed: webhookSecrets.seal(id, secret),
    shown: { webhook_secret: secret.toString('hex'), signing_secret: `whsec_${secret.toString('base64')}` },
  };
}

/** Returns an endpoint with another secret. The previous one signs for a day more. */
export function withSecret(row: EndpointRow, secret: Buffer, now: Date): EndpointRow {
  const previousUntil = new Date(now.getTime() + PREVIOUS_SECRET_MS);
  return { ...row, secret, previousSecret: row.secret, previousUntil, updatedAt: now };
}

/**
 * Encrypts the secrets of webhooks again that are still under another SECRETS_KEY, while the service accepts one. Its log line
 * says how many there were; with 0, webhooks need the other keys no more. Any number of processes may do so at once.
 */
export async function resealSecrets(
  { db, clock, config, log, webhookSecrets }: Pick<Deps, 'db' | 'clock' | 'config' | 'webhookSecrets' | 'log'>,
  stopping?: AbortSignal,
): Promise<void> {
  if (config.secretsKeysAccepted.length === 0) return;
  const { isCurrent, seal: again } = webhookSecrets;
  const counts = { resealed: 0, unreadable: 0 };
  const rows = await db<Omit<SealedSecrets, 'previousUntil'>[]>`
    select id, secret, previous_secret as "previousSecret" from webhook_endpoints`;
  for (const { id, secret, previousSecret } of rows) {
    if (stopping?.aborted) return;
    if ([secret, previousSecret].every((sealed) => sealed === null || isCurrent(id, sealed))) continue;
    try {
      await withTransaction(db, async (tx) => {
        const row = await lockEndpoint(tx, { id });
        if (!row) return;
        const { current, previous } = openSecrets(webhookSecrets, row, clock.now());
        // A previous one that signs no more is dropped: perhaps nobody can open it.
        const kept = { previousSecret: previous && again(id, previous), previousUntil: previous && row.previousUntil };
        await saveEndpoint(tx, { ...row, secret: again(id, current), ...kept });
      });
      counts.resealed += 1;
    } catch (error) {
      counts.unreadable += 1;
      log.warn({ webhookId: id, err: error }, 'the secret of a webhook is not encrypted again');
    }
  }
  log.info(counts, 'the secrets of webhooks were compared with SECRETS_KEY');
}
