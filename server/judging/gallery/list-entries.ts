import type { galleryOperations } from '../../../contract/projects/gallery.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { readPage } from '../../paging.ts';
import { requireProject } from '../../projects/public.ts';
import { galleryCounts, listGallery } from './gallery-queries.ts';
import { ownEntries } from './gallery-view.ts';
import type { PosterCaller } from '../../callers.ts';

type Operation = typeof galleryOperations.listEntries;

/** Returns the gallery of a poster's own project, in any state of the project. */
export async function listEntries(
  ctx: Context<PosterCaller>,
  { params, query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { project_id: projectId } = params;
  const { filter, submission_id: only = null } = query;
  await requireProject(ctx.reads, { projectId, posterId: ctx.caller.posterId });
  const [{ rows, end }, { total, unscored }] = await Promise.all([
    readPage(
      query,
      (page) => listGallery(ctx.reads, { projectId, filter, only, ...page }),
      ({ submittedAt, id }) => ({ at: submittedAt, id }),
    ),
    galleryCounts(ctx.reads, projectId),
  ]);
  return { submissions: await ownEntries(ctx, rows), counts: { total, unscored }, ...end };
}
