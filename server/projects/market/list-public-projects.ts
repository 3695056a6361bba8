import type { marketOperations } from '../../../contract/projects/market.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { posterNames } from '../../posters/public.ts';
import { firstReferences } from '../references/reference-queries.ts';
import { shownReferences } from '../references/shown-references.ts';
import { findMarketPage } from './public-market.ts';
import { winningEntries } from './winning-entries.ts';
import type { PublicCaller } from '../../callers.ts';

type Operation = typeof marketOperations.listPublicProjects;

/** Returns a page of the public market. */
export async function listPublicProjects(
  ctx: Context<PublicCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { projects, nextCursor } = await findMarketPage(ctx, query);
  const [posters, covers, winners] = await Promise.all([
    posterNames(
      ctx.reads,
      projects.map(({ posterId }) => posterId),
    ),
    firstReferences(
      ctx.reads,
      projects.map(({ id }) => id),
    ),
    winningEntries(ctx, projects),
  ]);
  return {
    projects: projects.map(({ posterId, winnerId, ...project }) => ({
      ...project,
      poster: { id: posterId, name: posters.get(posterId)?.name ?? '' },
      cover: shownReferences(ctx, [covers.get(project.id) ?? []].flat())[0] ?? null,
      winner: winnerId === null ? null : (winners.get(winnerId) ?? null),
    })),
    has_more: nextCursor !== null,
    next_cursor: nextCursor,
  };
}
