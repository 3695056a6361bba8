import type { Deps } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { deleteEvents, dropPartition, listPartitions, lockPartitions, makePartition } from './partition-queries.ts';

const DAY_MS = 86_400_000;
/** As long as the job that makes them may be away without anything landing in the partition for every other day. */
const DAYS_AHEAD = 4;
/** Few and small: one a project and one a test, not one a delivery. */
const EVENTS_AT_ONCE = 500;
const FORM = /^(webhook_(?:attempts|retries))_(\d{4})(\d{2})(\d{2})$/;

export type PartitionDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'log'>;

/**
 * Makes the next days' partitions of attempts and retries, drops those that are older than they are kept, and after them the
 * events that they were of. Three look-ups when there is nothing to do. Each day in a transaction of its own: one that can't be made keeps no other from it.
 */
export async function keepPartitions({ db, clock, config, log }: PartitionDeps, stopping?: AbortSignal): Promise<void> {
  const now = clock.now().getTime();
  const existing = new Set(await listPartitions(db));
  for (let ahead = -1; ahead <= DAYS_AHEAD; ahead += 1) {
    const day = new Date(now + ahead * DAY_MS).toISOString().slice(0, 10);
    if (stopping?.aborted || existing.has(`webhook_attempts_${day.replaceAll('-', '')}`)) continue;
    try {
      await withTransaction(db, async (tx) => {
        await lockPartitions(tx);
        await makePartition(tx, day);
      });
    } catch (error) {
      log.error({ err: error, day }, 'a partition of webhook attempts could not be made');
    }
  }
  const keptFrom = now - config.webhooks.retentionDays * DAY_MS;
  for (const name of existing) {
    const end = endOf(name);
    if (end === null || end > keptFrom || stopping?.aborted) continue;
    await withTransaction(db, async (tx) => {
      await lockPartitions(tx);
      await dropPartition(tx, name);
    });
    log.info({ partition: name }, 'a day of webhook deliveries was dropped');
  }
  // Replayed on the last day on which it can be, an event has attempts for as long again.
  const before = new Date(keptFrom - config.webhooks.retentionDays * DAY_MS);
  for (let deleted = EVENTS_AT_ONCE; deleted === EVENTS_AT_ONCE;) {
    if (stopping?.aborted) return;
    // Again when it meets another process that deletes the same ones.
    deleted = await withTransaction(db, (tx) => deleteEvents(tx, { before, limit: EVENTS_AT_ONCE }));
  }
}

/** When the day of a partition is over; null for one that is of no day. */
function endOf(name: string): number | null {
  const [, , year, month, day] = FORM.exec(name) ?? [];
  return year && month && day ? Date.parse(`${year}-${month}-${day}T00:00:00Z`) + DAY_MS : null;
}
