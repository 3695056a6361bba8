import type { galleryOperations } from '../../../contract/projects/gallery.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { decodeCursor, pageOf } from '../../paging.ts';
import { requireProject } from '../../projects/public.ts';
import { galleryPage } from './gallery.ts';
import { galleryCounts } from './gallery-queries.ts';
import { ownEntries } from './gallery-view.ts';
import type { PosterCaller } from '../../callers.ts';

type Operation = typeof galleryOperations.listEntries;

/** Returns the gallery of a poster's own project, in any state of the project. */
export async function listEntries(
  ctx: Context<PosterCaller>,
  { params, query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { project_id: projectId } = params;
  const { filter, limit, submission_id: only = null } = query;
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor);
  await requireProject(ctx.reads, { projectId, posterId: ctx.caller.posterId });
  const [found, { total, unscored }] = await Promise.all([
    galleryPage(ctx.reads, { projectId, filter, after, limit, only }),
    galleryCounts(ctx.reads, projectId),
  ]);
  const { rows, hasMore, nextCursor } = pageOf(found, limit, ({ submittedAt, id }) => ({ at: submittedAt, id }));
  return {
    submissions: await ownEntries(ctx, rows),
    counts: { total, unscored },
    has_more: hasMore,
    next_cursor: nextCursor,
  };
}
