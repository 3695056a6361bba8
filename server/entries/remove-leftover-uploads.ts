import type { Deps } from '../deps.ts';
import { removeEach } from '../storage/public.ts';
import { findLeftoverUploads, markEntryUploadsRemoved } from './queries.ts';

// Objects of a batch are removed concurrently. A store that does not answer takes 30 s, so it delays a batch by one
// timeout and not by 25.
const BATCH = 25;
const MARGIN_MS = 60_000;

/**
 * Removes uploads that were inspected, refused, or replaced, or that nobody can confirm any more, after their URL has expired:
 * until then, an agent could write them again. Two processes may remove the same upload. When an upload cannot be removed, the
 * next round tries it again and this round goes on.
 *
 * @throws StorageError when no upload of a batch could be removed, because the store does not answer
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
    const gone = await removeEach({ log }, leftovers, ({ upload_key }) => storage.remove(upload_key));
    if (gone.length > 0)
      await markEntryUploadsRemoved(
        db,
        gone.map(({ id }) => id),
      );
    removed += gone.length;
    last = leftovers.at(-1) ?? null;
    if (leftovers.length < BATCH) break;
  }
  return removed;
}
