import type { Deps } from '../deps.ts';
import { listSecrets, replaceSecrets, type SealedRow } from './endpoint-queries.ts';

const BATCH = 500;

type ResealDeps = Pick<Deps, 'db' | 'config' | 'webhookSecrets' | 'log'>;

/**
 * Encrypts the secrets of webhooks again that are still under another SECRETS_KEY, while the service accepts one. Its log line
 * says how many there were; with 0, the other keys are needed no more for webhooks. Any number of processes may do so at once.
 */
export async function resealSecrets(deps: ResealDeps, stopping?: AbortSignal): Promise<void> {
  const { db, config, log } = deps;
  if (config.secretsKeysAccepted.length === 0) return;
  const counts = { current: 0, resealed: 0, unreadable: 0 };
  for (let after: string | null = null; ;) {
    if (stopping?.aborted) return;
    const rows = await listSecrets(db, { after, limit: BATCH });
    for (const row of rows) counts[await reseal(deps, row)] += 1;
    after = rows.at(-1)?.id ?? null;
    if (rows.length < BATCH) break;
  }
  log.info(counts, 'the secrets of webhooks were compared with SECRETS_KEY');
}

async function reseal(
  { db, webhookSecrets, log }: ResealDeps,
  row: SealedRow,
): Promise<'current' | 'resealed' | 'unreadable'> {
  const { id, secret, previousSecret } = row;
  const sealedAgain = (sealed: Buffer): Buffer =>
    webhookSecrets.isCurrent(id, sealed) ? sealed : webhookSecrets.seal(id, webhookSecrets.open(id, sealed));
  try {
    const [first, previous] = [sealedAgain(secret), previousSecret && sealedAgain(previousSecret)];
    if (first === secret && previous === previousSecret) return 'current';
    await replaceSecrets(db, row, { secret: first, previousSecret: previous });
    return 'resealed';
  } catch (error) {
    log.warn({ webhookId: id, err: error }, 'the secret of a webhook is under none of the accepted SECRETS_KEYs');
    return 'unreadable';
  }
}
