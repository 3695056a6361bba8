import type { Deps } from '../deps.ts';
import { rememberedSince } from './run-idempotent.ts';
import { deleteKeysUntil } from './queries.ts';

const BATCH = 1_000;

/** Deletes expired keys in batches, and returns their number. Several processes can run it at the same time. */
export async function removeOldKeys({ db, clock }: Pick<Deps, 'db' | 'clock'>, stopping: AbortSignal): Promise<number> {
  const until = rememberedSince(clock.now());
  let removed = 0;
  while (!stopping.aborted) {
    const count = await deleteKeysUntil(db, until, BATCH);
    removed += count;
    if (count < BATCH) break;
  }
  return removed;
}
