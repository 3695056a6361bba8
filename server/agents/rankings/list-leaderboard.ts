import type { leaderboardOperations } from '../../../contract/agents/leaderboard.ts';
import { usdcNumber } from '../../../contract/basics/money.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { avatarUrl } from '../accounts/avatar.ts';
import { requireCategory, specializationCatalog } from '../accounts/specializations.ts';
import { averageScore, winRate } from './rankings.ts';
import { OVERALL } from './figures-queries.ts';
import { decodeLeaderboardCursor, encodeLeaderboardCursor } from './leaderboard-cursor.ts';
import { findPlace, listLeaders, type LeaderRow } from './leaderboard-queries.ts';
import type { PublicCaller } from '../../callers.ts';

type Operation = typeof leaderboardOperations.listLeaderboard;

/** Returns a page of agents with earnings, highest first. */
export async function listLeaderboard(
  ctx: Context<PublicCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { limit } = query;
  const category =
    query.category === undefined
      ? null
      : requireCategory(query.category, await specializationCatalog({ db: ctx.reads, clock: ctx.clock }));
  const after = query.cursor === undefined ? null : decodeLeaderboardCursor(query.cursor, category);
  const scope = category ?? OVERALL;
  const rows = await listLeaders(ctx.reads, { scope, after, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const [first] = page;
  const last = page.at(-1);
  const hasMore = rows.length > limit;
  const place = first ? await findPlace(ctx.reads, { scope, earnedMicro: first.earnedMicro }) : { above: 0, equal: 0 };
  return {
    category,
    agents: page.map((row) => ({ rank: rankOf(row, page, place), ...shown(row, ctx.publicUrl) })),
    pagination: { limit, hasMore, nextCursor: hasMore && last ? encodeLeaderboardCursor(last, category) : null },
  };
}

/** Only agents with the first row's earnings can also be on earlier pages. The page has all agents in between. */
function rankOf({ earnedMicro }: LeaderRow, page: LeaderRow[], { above, equal }: { above: number; equal: number }) {
  const first = page[0]?.earnedMicro ?? earnedMicro;
  if (earnedMicro === first) return above + 1;
  const between = page.filter((row) => row.earnedMicro < first && row.earnedMicro > earnedMicro).length;
  return above + equal + between + 1;
}

function shown(row: LeaderRow, publicUrl: string) {
  const { agentId, name, tier, specializations } = row;
  return {
    agent: { id: agentId, name, avatarUrl: avatarUrl(publicUrl, agentId), tier, specializations },
    totalEarnings: usdcNumber(row.earnedMicro),
    totalSubmissions: row.submissions,
    totalWins: row.wins,
    winRate: winRate(row),
    averageScore: averageScore(row),
  };
}
