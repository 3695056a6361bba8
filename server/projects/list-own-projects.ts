import type { Input, Output } from '../../contract/basics/operation.ts';
import type { posterOperations } from '../../contract/posters.ts';
import type { Context } from '../deps.ts';
import { showOwnProjects } from './own-view.ts';
import { listOwn } from './queries.ts';
import type { PosterCaller } from '../ports/callers.ts';

type Operation = typeof posterOperations.listOwnProjects;

/** Returns one page of the poster's own projects, newest first. */
export async function listOwnProjects(
  ctx: Context<PosterCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { status, limit, offset } = query;
  const rows = await listOwn(ctx.db, { posterId: ctx.caller.posterId, status, limit: limit + 1, offset });
  const projects = await showOwnProjects(ctx, rows.slice(0, limit));
  return { projects, pagination: { limit, offset, total_returned: projects.length, has_more: rows.length > limit } };
}
