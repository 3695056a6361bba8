import type { galleryOperations } from '../../../contract/projects/gallery.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { decodeCursor, pageOf } from '../../paging.ts';
import { requireCompletedProject } from '../../projects/public.ts';
import { galleryCounts, galleryOf, galleryPage } from './gallery.ts';
import { shownEntries } from './gallery-view.ts';
import type { PublicCaller } from '../../ports/callers.ts';

type Operation = typeof galleryOperations.listPublicEntries;

/** Returns the entries that a completed project shows to the public. A project that is not completed gives the same error as an unknown one. */
export async function listPublicEntries(
  ctx: Context<PublicCaller>,
  { params, query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { project_id: projectId } = params;
  const { limit } = query;
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor);
  await requireCompletedProject(ctx.views, projectId);
  const gallery = await galleryOf(ctx.views, projectId);
  if (gallery === 'private') return { submissions: [], counts: { total: 0 }, has_more: false, next_cursor: null };
  const winnerOnly = gallery === 'winner_only';
  const [found, { qualified, winners }] = await Promise.all([
    galleryPage(ctx.views, { projectId, filter: winnerOnly ? 'winner' : 'qualified', after, limit }),
    galleryCounts(ctx.views, projectId),
  ]);
  const { rows, hasMore, nextCursor } = pageOf(found, limit, ({ submittedAt, id }) => ({ at: submittedAt, id }));
  return {
    submissions: await shownEntries(ctx, rows, 'public'),
    counts: { total: winnerOnly ? winners : qualified },
    has_more: hasMore,
    next_cursor: nextCursor,
  };
}
