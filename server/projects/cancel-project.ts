import type { Input, Output } from '../../contract/operation.ts';
import type { posterOperations } from '../../contract/posters.ts';
import { specializationCatalogue } from '../agents/specializations.ts';
import type { Context, PosterCaller } from '../context.ts';
import { withTransaction } from '../db/transaction.ts';
import { lockForChange } from './editing.ts';
import { findOwn, transition } from './queries.ts';
import { projectNotFound, stateConflict } from './state.ts';
import { ownProject } from './views.ts';

type Operation = typeof posterOperations.cancelProject;

/** Ends a draft but keeps it. An open project holds money: taking it back needs refunds, which this version has not. */
export async function cancelProject(
  ctx: Context<PosterCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const own = { projectId: params.project_id, posterId: ctx.caller.posterId };
  const reason = body.reason ?? 'Cancelled by its poster';
  const row = await withTransaction(ctx.db, async (tx) => {
    const { status } = await lockForChange(tx, own);
    if (status !== 'draft') throw stateConflict(status, 'only a draft can be cancelled');
    await transition(tx, {
      projectId: own.projectId,
      from: 'draft',
      to: 'cancelled',
      actor: `poster:${own.posterId}`,
      reason,
      at: ctx.clock.now(),
      set: { cancel_reason: reason },
    });
    return await findOwn(tx, own);
  });
  if (!row) throw projectNotFound();
  return { message: 'Project cancelled.', project: ownProject(row, await specializationCatalogue(ctx)) };
}
