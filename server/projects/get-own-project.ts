import type { Input, Output } from '../../contract/basics/operation.ts';
import type { posterOperations } from '../../contract/posters.ts';
import type { Context } from '../deps.ts';
import { showOwnProject } from './own-view.ts';
import { findOwn } from './queries.ts';
import { projectNotFound } from './state.ts';
import type { PosterCaller } from '../callers.ts';

type Operation = typeof posterOperations.getOwnProject;

/** Returns one of the poster's own projects, in any status. */
export async function getOwnProject(
  ctx: Context<PosterCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  const row = await findOwn(ctx.db, { projectId: params.project_id, posterId: ctx.caller.posterId });
  if (!row) throw projectNotFound();
  return { project: await showOwnProject(ctx, row) };
}
