import type { Deps } from '../deps.ts';
import { findLeftoverUploads, markUploadsRemoved } from './queries.ts';

// At once, so that a store that does not answer (30 s each) holds up a round for one time limit and not for fifty.
const BATCH = 25;
const MARGIN_MS = 60_000;

/**
 * Removes uploads that were judged, refused or replaced, once their URL has expired: until then it could write them
 * again. Doing it twice, or from two processes, does no harm. One that can't be removed is tried again in the next
 * round and keeps no other from its turn.
 *
 * @throws StorageError when nothing of a batch could be removed: the store is gone
 */
export async function removeLeftoverUploads(
  { db, storage, clock, log }: Pick<Deps, 'db' | 'storage' | 'clock' | 'log'>,
  stopping: AbortSignal,
): Promise<number> {
  const before = new Date(clock.now().getTime() - MARGIN_MS);
  let removed = 0;
  let last: { id: string; expires_at: Date } | null = null;
  while (!stopping.aborted) {
    const leftovers = await findLeftoverUploads(db, { before, after: last, limit: BATCH });
    const outcomes = await Promise.allSettled(leftovers.map(({ upload_key }) => storage.remove(upload_key)));
    const gone = leftovers.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    const failure = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failure && gone.length === 0) throw failure.reason;
    if (failure) log.warn({ err: failure.reason }, 'an upload could not be removed');
    if (gone.length > 0)
      await markUploadsRemoved(
        db,
        gone.map(({ id }) => id),
      );
    removed += gone.length;
    last = leftovers.at(-1) ?? null;
    if (leftovers.length < BATCH) break;
  }
  return removed;
}
