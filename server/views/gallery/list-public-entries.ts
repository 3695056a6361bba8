import type { galleryOperations } from '../../../contract/gallery.ts';
import type { Input, Output } from '../../../contract/operation.ts';
import type { Context } from '../../deps.ts';
import { decodeCursor, pageOf } from '../../paging.ts';
import { requireCompletedProject } from '../../projects/public.ts';
import { galleryCounts, galleryPage } from './gallery.ts';
import { publicEntries } from './gallery-view.ts';
import type { PublicCaller } from '../../ports/callers.ts';

type Operation = typeof galleryOperations.listPublicEntries;

/** A project that is not completed is as missing to everyone as one that never was. */
export async function listPublicEntries(
  ctx: Context<PublicCaller>,
  { params, query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { project_id: projectId } = params;
  const { limit } = query;
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor);
  await requireCompletedProject(ctx.db, projectId);
  const [found, { qualified }] = await Promise.all([
    galleryPage(ctx.db, { projectId, filter: 'qualified', after, limit }),
    galleryCounts(ctx.db, projectId),
  ]);
  const { rows, hasMore, nextCursor } = pageOf(found, limit, ({ submittedAt, id }) => ({ at: submittedAt, id }));
  return {
    submissions: await publicEntries(ctx, rows),
    counts: { total: qualified },
    has_more: hasMore,
    next_cursor: nextCursor,
  };
}
