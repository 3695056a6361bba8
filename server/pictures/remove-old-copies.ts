import type { Deps } from '../deps.ts';

const BATCH = 100;

/**
 * Removes the copies in full size that earlier versions stored, and the thumbnails beside them. No URL reaches them. Several
 * processes may do the same work: removing an object again does no harm. A process that dies in the middle leaves its rows.
 */
export async function removeOldCopies(
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    const rows = await db<{ id: string }[]>`
      select media_file_id as id from old_copies order by media_file_id limit ${BATCH}`;
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    for (const id of ids) for (const name of ['image', 'thumbnail']) await storage.remove(`copies/${id}/${name}.webp`);
    await db`delete from old_copies where media_file_id = any(${ids})`;
  }
}
