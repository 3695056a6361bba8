import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { overviewOperations } from '../../../contract/operator/overview.ts';
import type { Context } from '../../deps.ts';
import { judgedEntries, galleryCounts, galleryPage } from '../gallery/public.ts';
import { decodeCursor, pageOf } from '../../paging.ts';
import { requireAnyProject } from './all-projects.ts';
import type { OperatorCaller } from '../../ports/callers.ts';

type Operation = typeof overviewOperations.listEntriesAsOperator;

/** Returns a project's entries as its poster sees them, in any state of the project. */
export async function listEntriesAsOperator(
  ctx: Context<OperatorCaller>,
  { params, query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { project_id: projectId } = params;
  const { filter, limit, cursor } = query;
  const after = cursor === undefined ? null : decodeCursor(cursor);
  await requireAnyProject(ctx.views, projectId);
  const [found, { total, unscored }] = await Promise.all([
    galleryPage(ctx.views, { projectId, filter, after, limit }),
    galleryCounts(ctx.views, projectId),
  ]);
  const page = pageOf(found, limit, ({ submittedAt, id }) => ({ at: submittedAt, id }));
  return {
    submissions: await judgedEntries(ctx, page.rows),
    counts: { total, unscored },
    has_more: page.hasMore,
    next_cursor: page.nextCursor,
  };
}
