import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { referenceOperations } from '../../../contract/projects/references.ts';
import type { Context } from '../../deps.ts';
import type { PosterCaller } from '../../callers.ts';
import { findOwn } from '../queries.ts';
import { projectNotFound } from '../state.ts';
import { listReferenceRows } from '../references/reference-queries.ts';
import { ownReferenceOf } from '../references/shown-references.ts';

type Operation = typeof referenceOperations.listReferences;

/** Returns the reference pictures of the poster's project, also those whose upload is awaited. */
export async function listReferences(
  ctx: Context<PosterCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  const project = await findOwn(ctx.db, { projectId: params.project_id, posterId: ctx.caller.posterId });
  if (!project) throw projectNotFound();
  const rows = await listReferenceRows(ctx.db, project.id);
  return { references: rows.map((row) => ownReferenceOf(ctx, row)) };
}
