import type { holdOperations } from '../../../contract/projects/holds.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { decodeCursor, pageOf, timesOfDays } from '../../paging.ts';
import { listObjectionRows } from './objection-queries.ts';
import { shownObjection } from './objections.ts';
import type { OperatorCaller } from '../../ports/callers.ts';

type Operation = typeof holdOperations.listObjections;

/** Returns one page of objections, newest first. */
export async function listObjections(
  ctx: Context<OperatorCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { decision, project_id: projectId, limit, cursor } = query;
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const rows = await listObjectionRows(
    ctx.db,
    { decision, projectId, ...timesOfDays(query) },
    { after, limit: limit + 1 },
  );
  const page = pageOf(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
  return { objections: page.rows.map(shownObjection), has_more: page.hasMore, next_cursor: page.nextCursor };
}
