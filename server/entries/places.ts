import { withTransaction } from '../db/public.ts';
import type { Deps } from '../deps.ts';
import { findPublished, freePlace } from '../projects/public.ts';
import { endPlace, lapsePlace, listLapsing } from './place-queries.ts';
import type { Tx } from '../db/database.ts';

const AT_ONCE = 100;

/** Frees the place of an unconfirmed entry, unless it has lapsed already. The caller holds the project's exclusive lock. */
export async function freePlaceOf(
  tx: Tx,
  { submissionId, projectId }: { submissionId: string; projectId: string },
): Promise<void> {
  if (await endPlace(tx, submissionId)) await freePlace(tx, projectId);
}

/**
 * Frees the places of paid entries that were not confirmed in time. A place is for work: a party that only pays must not
 * keep others out. The fee stays paid, and the entry may still be confirmed while a place is free.
 */
export async function lapsePlaces({ db, clock }: Pick<Deps, 'db' | 'clock'>, stopping?: AbortSignal): Promise<void> {
  for (;;) {
    if (stopping?.aborted) return;
    const now = clock.now();
    const due = await listLapsing(db, { now, limit: AT_ONCE });
    for (const { id, projectId } of due)
      await withTransaction(db, async (tx) => {
        // A confirmation is requested under a lock of the project too, and keeps the place.
        await findPublished(tx, projectId, 'for no key update');
        if (await lapsePlace(tx, id, now)) await freePlace(tx, projectId);
      });
    if (due.length < AT_ONCE) return;
  }
}
