import { withTransaction } from '../../db/public.ts';
import type { Deps } from '../../deps.ts';
import { removePublicCopies } from '../../pictures/public.ts';
import { removeEach } from '../../storage/public.ts';
import { uploadKey } from './reference-queries.ts';
import {
  deletePicture,
  deleteSharedUse,
  detachAbandoned,
  detachUnconfirmed,
  listConfirmedUploads,
  listUnused,
  markReferenceUploadsRemoved,
  type UnusedRow,
} from './unused-queries.ts';

type SweepDeps = Pick<Deps, 'db' | 'storage' | 'clock' | 'log'>;

const BATCH = 25;
/** Longer than the lease of an inspection, so that no picture is removed while it is confirmed. */
const MARGIN_MS = 5 * 60_000;
const DAY_MS = 86_400_000;
/** How long a draft that nobody changes keeps its pictures. */
const DRAFT_MS = 30 * DAY_MS;

/**
 * Removes pictures that no project uses, and the pictures of abandoned drafts. Objects are removed before their rows,
 * so a killed process leaves a row that the next round finds. They are removed after the upload URL has expired, which
 * could write them again.
 */
export async function removeUnusedReferences(deps: SweepDeps, stopping: AbortSignal): Promise<void> {
  const now = deps.clock.now().getTime();
  const before = new Date(now - MARGIN_MS);
  const abandoned = new Date(now - DRAFT_MS);
  await detachUnconfirmed(deps.db, before, BATCH);
  await detachAbandoned(deps.db, abandoned, BATCH);
  // Pictures that cannot be removed keep no others from it.
  const ended = await Promise.allSettled([removeUploads(deps, before), removeUses(deps, before, stopping)]);
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
}

async function removeUses(deps: SweepDeps, before: Date, stopping: AbortSignal): Promise<void> {
  for (let after = 0; !stopping.aborted;) {
    const unused = await listUnused(deps.db, { before, after, limit: BATCH });
    await removeEach(deps, unused, (use) => removeUse(deps, use));
    const last = unused.at(-1);
    if (!last || unused.length < BATCH) return;
    after = last.id;
  }
}

/** Removes the uploads of confirmed pictures. The inspected bytes have another key. */
async function removeUploads({ db, storage, log }: SweepDeps, before: Date): Promise<void> {
  const uploads = await listConfirmedUploads(db, before, BATCH);
  const ids = await removeEach({ log }, uploads, (id) => storage.remove(uploadKey(id)));
  if (ids.length > 0) await markReferenceUploadsRemoved(db, ids);
}

async function removeUse(deps: SweepDeps, use: UnusedRow): Promise<void> {
  if (await withTransaction(deps.db, (tx) => deleteSharedUse(tx, use))) return;
  const { storage } = deps;
  await Promise.all([
    storage.remove(uploadKey(use.pictureId)),
    use.originalKey && storage.remove(use.originalKey),
    removePublicCopies(deps, use.pictureId),
  ]);
  await withTransaction(deps.db, (tx) => deletePicture(tx, use));
}
