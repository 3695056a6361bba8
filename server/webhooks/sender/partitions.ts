import type { Deps } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { deleteEvents, dropPartition, listPartitions, lockPartitions, createPartition } from './partition-queries.ts';
import type { PartitionedTable } from './partition-queries.ts';
import { deleteRequestsBefore } from '../trials/public.ts';

const DAY_MS = 86_400_000;
const TABLES: PartitionedTable[] = ['webhook_retries', 'webhook_attempts'];
/** The job may be down for this long before rows land in the default partition. */
const DAYS_AHEAD = 4;
/** Events are few: one for each project and test. */
const EVENTS_PER_STATEMENT = 500;
const NAME = /^(webhook_(?:attempts|retries))_(\d{4})(\d{2})(\d{2})$/;

export type PartitionDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'log'>;

/**
 * Creates the partitions of attempts and retries for the next days, drops those past the retention, and then deletes the
 * events of the dropped days. It also deletes old requests
 * to endpoints that never succeeded. It takes four statements when there is nothing to do.
 */
export async function keepPartitions(deps: PartitionDeps, stopping?: AbortSignal): Promise<void> {
  const now = deps.clock.now().getTime();
  const existing = new Set(await listPartitions(deps.db));
  await createMissing(deps, { now, existing }, stopping);
  const keptFrom = now - deps.config.webhooks.retentionDays * DAY_MS;
  await dropOld(deps, { keptFrom, existing }, stopping);
  await deleteRequestsBefore(deps.db, new Date(now - DAY_MS));
  // An event may be replayed on its last day, and its attempts are then kept for another retention period.
  const before = new Date(keptFrom - deps.config.webhooks.retentionDays * DAY_MS);
  for (let deleted = EVENTS_PER_STATEMENT; deleted === EVENTS_PER_STATEMENT;) {
    if (stopping?.aborted) return;
    // The transaction is repeated when it conflicts with another process that deletes the same events.
    deleted = await withTransaction(deps.db, (tx) => deleteEvents(tx, { before, limit: EVENTS_PER_STATEMENT }));
  }
}

/** Creates each partition in a transaction of its own, so that one failure does not prevent the others. */
async function createMissing(
  { db, log }: PartitionDeps,
  { now, existing }: { now: number; existing: ReadonlySet<string> },
  stopping: AbortSignal | undefined,
): Promise<void> {
  for (let ahead = -1; ahead <= DAYS_AHEAD; ahead += 1) {
    const day = new Date(now + ahead * DAY_MS).toISOString().slice(0, 10);
    for (const table of TABLES) {
      if (stopping?.aborted || existing.has(`${table}_${day.replaceAll('-', '')}`)) continue;
      try {
        await withTransaction(db, async (tx) => {
          await lockPartitions(tx);
          await createPartition(tx, table, day);
        });
      } catch (error) {
        log.error({ err: error, table, day }, 'a partition of webhook deliveries could not be created');
      }
    }
  }
}

async function dropOld(
  { db, log }: PartitionDeps,
  { keptFrom, existing }: { keptFrom: number; existing: ReadonlySet<string> },
  stopping: AbortSignal | undefined,
): Promise<void> {
  for (const name of existing) {
    const end = endOf(name);
    if (end === null || end > keptFrom || stopping?.aborted) continue;
    await withTransaction(db, async (tx) => {
      await lockPartitions(tx);
      await dropPartition(tx, name);
    });
    log.info({ partition: name }, 'dropped a day of webhook deliveries');
  }
}

/** Returns when the day of a partition ends; null for a partition without a day. */
function endOf(name: string): number | null {
  const [, , year, month, day] = NAME.exec(name) ?? [];
  return year && month && day ? Date.parse(`${year}-${month}-${day}T00:00:00Z`) + DAY_MS : null;
}
