import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { isRowWaiting, lockHead, numberRows, removeRows } from './queries.ts';

const BATCH = 1_000;
const TICK_MS = 100;
/** A run of the sequencer ends after this many ticks, so that the jobs do not take it for one that hangs. */
const TICKS_PER_RUN = 600;
const RETENTION_MS = 90 * 86_400_000;

type SequencerDeps = Pick<Deps, 'db' | 'clock'>;

/**
 * Numbers the rows that committed, and those whose time of release has come. Only one process numbers at a time; another
 * one that tries meanwhile returns. A process that is killed before the commit leaves the rows to the next run.
 *
 * @returns how many rows got a number
 */
export async function numberEvents({ db, clock }: SequencerDeps): Promise<number> {
  let total = 0;
  for (;;) {
    const now = clock.now();
    if (!(await isRowWaiting(db, now))) return total;
    const count = await withTransaction(db, async (tx) => {
      const last = await lockHead(tx);
      return last === null ? 0 : await numberRows(tx, { last, now, limit: BATCH });
    });
    total += count;
    if (count < BATCH) return total;
  }
}

/**
 * Numbers rows every 100 ms, for a minute. Calls `onNumbered` when rows got numbers, and goes on meanwhile; the run ends after
 * all these calls. They must not reject.
 */
export async function runSequencer(
  deps: SequencerDeps,
  stopping: AbortSignal,
  onNumbered: () => Promise<void> = async () => {},
): Promise<void> {
  let following: Promise<unknown> = Promise.resolve();
  for (let tick = 0; tick < TICKS_PER_RUN && !stopping.aborted; tick += 1) {
    if ((await numberEvents(deps)) > 0) following = Promise.all([following, onNumbered()]);
    await sleep(TICK_MS, undefined, { signal: stopping, ref: false }).catch(() => {});
  }
  await following;
}

/** Removes the events that are older than 90 days, in batches. Several processes can run it. */
export async function removeOldEvents(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  stopping: AbortSignal,
): Promise<number> {
  const before = new Date(clock.now().getTime() - RETENTION_MS);
  let removed = 0;
  while (!stopping.aborted) {
    const count = await withTransaction(db, async (tx) => {
      const isFree = (await lockHead(tx)) !== null;
      return isFree ? await removeRows(tx, before, BATCH) : 0;
    });
    removed += count;
    if (count < BATCH) break;
  }
  return removed;
}
