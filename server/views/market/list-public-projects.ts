import type { marketOperations } from '../../../contract/projects/market.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context, Deps } from '../../deps.ts';
import { posterNames } from '../../posters/public.ts';
import { inSearchTurn } from '../../projects/search/public.ts';
import { sharedMarketPage, type MarketPage } from './public-market.ts';
import { winningEntries } from './winning-entries.ts';
import type { PublicCaller } from '../../ports/callers.ts';

type Operation = typeof marketOperations.listPublicProjects;

/** Returns a page of the public market. Identical requests of one second get the same object. */
export async function listPublicProjects(
  ctx: Context<PublicCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  return await inSearchTurn(ctx, async () => await sharedMarketPage(ctx, query, (page) => complete(ctx, page)));
}

async function complete(
  deps: Pick<Deps, 'views' | 'mediaUrls'>,
  { projects, nextCursor }: MarketPage,
): Promise<Output<Operation>> {
  const [posters, winners] = await Promise.all([
    posterNames(
      deps.views,
      projects.map(({ posterId }) => posterId),
    ),
    winningEntries(deps, projects),
  ]);
  return {
    projects: projects.map(({ posterId, winnerId, ...project }) => ({
      ...project,
      poster: { id: posterId, name: posters.get(posterId)?.name ?? '' },
      winner: winnerId === null ? null : (winners.get(winnerId) ?? null),
    })),
    has_more: nextCursor !== null,
    next_cursor: nextCursor,
  };
}
