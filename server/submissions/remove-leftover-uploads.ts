import type { Deps } from '../context.ts';
import { findLeftoverUploads, markUploadsRemoved } from './queries.ts';

const BATCH = 100;
const MARGIN_MS = 60_000;

/**
 * Removes uploads that were judged, refused or replaced, once their URL has expired: until then it could write them
 * again. Doing it twice, or from two processes, does no harm.
 */
export async function removeLeftoverUploads({
  db,
  storage,
  clock,
}: Pick<Deps, 'db' | 'storage' | 'clock'>): Promise<number> {
  const before = new Date(clock.now().getTime() - MARGIN_MS);
  const leftovers = await findLeftoverUploads(db, before, BATCH);
  for (const { upload_key } of leftovers) await storage.remove(upload_key);
  if (leftovers.length > 0)
    await markUploadsRemoved(
      db,
      leftovers.map((leftover) => leftover.id),
    );
  return leftovers.length;
}
