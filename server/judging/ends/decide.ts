import type { Context, Deps } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { mustWait, requireCompared, whyStopped } from '../../ledger/public.ts';
import { forgetSearches, readProject } from '../../projects/public.ts';
import type { Tx } from '../../db/database.ts';

/**
 * Makes a decision about a project in one transaction. A database that may be older than the chain makes none: the chain may
 * show that the project has ended.
 *
 * @throws DomainError INTERNAL_ERROR (503)
 */
export async function withDecision<T>(deps: Pick<Deps, 'db' | 'comparison'>, work: (tx: Tx) => Promise<T>): Promise<T> {
  await requireCompared(deps, 'Nothing was changed');
  return await withTransaction(deps.db, async (tx) => {
    const stop = await whyStopped(deps, tx);
    if (stop !== null) throw mustWait(stop, 'Nothing was changed');
    return await work(tx);
  });
}

/** Makes a decision, and answers with its message and the project after it. @throws DomainError INTERNAL_ERROR (503) */
export async function decideProject(ctx: Context, projectId: string, work: (tx: Tx) => Promise<string>) {
  const message = await withDecision(ctx, work);
  forgetSearches(ctx.db);
  return { message, project: await readProject(ctx, projectId) };
}
