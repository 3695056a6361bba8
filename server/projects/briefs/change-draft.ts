import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import type { PosterCaller } from '../../callers.ts';
import type { Tx } from '../../db/database.ts';
import { lockForChange } from '../editing.ts';
import { stateConflict } from '../state.ts';

/** Runs `work` in a transaction that holds the lock of the poster's draft. A published project is refused. */
export async function changeDraft<T>(
  ctx: Context<PosterCaller>,
  projectId: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return await withTransaction(ctx.db, async (tx) => {
    const { status } = await lockForChange(tx, { projectId, posterId: ctx.caller.posterId });
    if (status !== 'draft') throw stateConflict(status, 'the reference pictures of a draft alone can be changed');
    return await work(tx);
  });
}
