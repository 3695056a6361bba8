import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { overviewOperations } from '../../../contract/operator/overview.ts';
import type { Context } from '../../deps.ts';
import { decodeCursor, pageOf, timesOfDays } from '../../paging.ts';
import { allProjects } from './all-projects.ts';
import { operatorProjects } from './project-view.ts';
import type { OperatorCaller } from '../../ports/callers.ts';

type Operation = typeof overviewOperations.listProjectsAsOperator;

/** Returns a page of all posters' projects. */
export async function listProjectsAsOperator(
  ctx: Context<OperatorCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { status, poster_id: posterId, search, limit, cursor } = query;
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const found = await allProjects(
    ctx.views,
    { status, posterId, search, minMicro: query.min_usdc, maxMicro: query.max_usdc, ...timesOfDays(query) },
    { after, limit: limit + 1 },
  );
  const page = pageOf(found, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
  return {
    projects: await operatorProjects(ctx.views, page.rows),
    has_more: page.hasMore,
    next_cursor: page.nextCursor,
  };
}
