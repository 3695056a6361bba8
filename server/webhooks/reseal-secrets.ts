import type { Deps } from '../deps.ts';
import { listSecrets, replaceSecrets } from './endpoint-queries.ts';

/**
 * Encrypts the secrets of webhooks again that are still under another SECRETS_KEY, while the service accepts one. Its log line
 * says how many there were; with 0, webhooks need the other keys no more. Any number of processes may do so at once.
 */
export async function resealSecrets(
  {
    db,
    config,
    log,
    webhookSecrets: { isCurrent, open, seal },
  }: Pick<Deps, 'db' | 'config' | 'webhookSecrets' | 'log'>,
  stopping?: AbortSignal,
): Promise<void> {
  if (config.secretsKeysAccepted.length === 0) return;
  const counts = { resealed: 0, unreadable: 0 };
  for (const row of await listSecrets(db)) {
    if (stopping?.aborted) return;
    const { id, secret, previousSecret } = row;
    if ([secret, previousSecret].every((sealed) => sealed === null || isCurrent(id, sealed))) continue;
    const again = (sealed: Buffer) => seal(id, open(id, sealed));
    try {
      await replaceSecrets(db, row, { secret: again(secret), previousSecret: previousSecret && again(previousSecret) });
      counts.resealed += 1;
    } catch (error) {
      counts.unreadable += 1;
      log.warn({ webhookId: id, err: error }, 'the secret of a webhook is under none of the accepted SECRETS_KEYs');
    }
  }
  log.info(counts, 'the secrets of webhooks were compared with SECRETS_KEY');
}
