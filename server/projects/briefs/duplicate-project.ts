import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { ProjectBrief } from '../../../contract/projects/brief.ts';
import type { posterOperations } from '../../../contract/posters.ts';
import type { Context } from '../../deps.ts';
import type { PosterCaller } from '../../callers.ts';
import { briefOf } from '../rows.ts';
import { requireProject } from '../locks.ts';
import { saveDraft } from '../draft-project.ts';
import { copyReferences } from '../references/reference-queries.ts';

type Operation = typeof posterOperations.duplicateProject;

/** Copies a project of the poster to a new draft. The request gives the money and the deadline, which are not copied. */
export async function duplicateProject(
  ctx: Context<PosterCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const { posterId } = ctx.caller;
  const source = await requireProject(ctx.db, { projectId: params.project_id, posterId });
  // A field that the request leaves out is missing in the body, not undefined.
  const brief = { ...briefOf(source), ...body } as ProjectBrief;
  return await saveDraft(ctx, brief, {
    message: 'Copied to a new draft.',
    further: (tx, projectId) => copyReferences(tx, source.id, { projectId, posterId }, ctx.clock.now()),
  });
}
