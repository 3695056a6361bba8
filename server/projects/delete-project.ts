import type { Input, Output } from '../../contract/basics/operation.ts';
import type { posterOperations } from '../../contract/posters.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { lockForChange } from './editing.ts';
import { deleteDraft } from './queries.ts';
import { stateConflict } from './state.ts';
import type { PosterCaller } from '../callers.ts';

type Operation = typeof posterOperations.deleteProject;

/** Deletes a draft. Published projects and canceled drafts stay on record. */
export async function deleteProject(
  ctx: Context<PosterCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  await withTransaction(ctx.db, async (tx) => {
    const row = await lockForChange(tx, { projectId: params.project_id, posterId: ctx.caller.posterId });
    if (row.status !== 'draft') throw stateConflict(row.status, 'only a draft can be deleted');
    await deleteDraft(tx, row.id);
  });
  return { message: 'Draft deleted.', projectId: params.project_id };
}
