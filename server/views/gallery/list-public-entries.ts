import type { galleryOperations } from '../../../contract/projects/gallery.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { decodeCursor, pageOf } from '../../paging.ts';
import { requireCompletedProject } from '../../projects/public.ts';
import { galleryCounts, galleryPage } from './gallery.ts';
import { publicEntries } from './gallery-view.ts';
import type { PublicCaller } from '../../ports/callers.ts';

type Operation = typeof galleryOperations.listPublicEntries;

/** Returns a completed project's entries. A project that is not completed gives the same error as an unknown one. */
export async function listPublicEntries(
  ctx: Context<PublicCaller>,
  { params, query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { project_id: projectId } = params;
  const { limit } = query;
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor);
  await requireCompletedProject(ctx.views, projectId);
  const [found, { qualified }] = await Promise.all([
    galleryPage(ctx.views, { projectId, filter: 'qualified', after, limit }),
    galleryCounts(ctx.views, projectId),
  ]);
  const { rows, hasMore, nextCursor } = pageOf(found, limit, ({ submittedAt, id }) => ({ at: submittedAt, id }));
  return {
    submissions: await publicEntries(ctx, rows),
    counts: { total: qualified },
    has_more: hasMore,
    next_cursor: nextCursor,
  };
}
