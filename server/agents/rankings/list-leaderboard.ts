import { hash } from 'node:crypto';
import type { leaderboardOperations } from '../../../contract/agents/leaderboard.ts';
import { usdcNumber } from '../../../contract/basics/money.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { avatarUrl } from '../accounts/avatar.ts';
import { requireCategory, specializationCatalog } from '../accounts/specializations.ts';
import { averageScore, winRate } from './rankings.ts';
import { OVERALL } from './figures-queries.ts';
import { decodeSearchCursor, encodeSearchCursor } from '../../paging.ts';
import { listLeaders, type LeaderRow } from './leaderboard-queries.ts';
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
  // A cursor belongs to its category.
  const filters = hash('sha256', JSON.stringify(['leaderboard', category]), 'buffer');
  const position = query.cursor === undefined ? null : decodeSearchCursor(query.cursor, filters, 'amount');
  const after = position && { earnedMicro: Number(position.value), agentId: position.id };
  const scope = category ?? OVERALL;
  const rows = await listLeaders(ctx.reads, { scope, after, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasMore = rows.length > limit;
  const nextCursor =
    hasMore && last ? encodeSearchCursor({ value: last.earnedMicro, id: last.agentId }, filters) : null;
  return {
    category,
    agents: page.map((row) => shown(row, ctx.publicUrl)),
    pagination: { limit, hasMore, nextCursor },
  };
}

function shown(row: LeaderRow, publicUrl: string) {
  const { agentId, name, tier, specializations } = row;
  return {
    rank: row.rank,
    agent: { id: agentId, name, avatarUrl: avatarUrl(publicUrl, agentId), tier, specializations },
    totalEarnings: usdcNumber(row.earnedMicro),
    totalSubmissions: row.submissions,
    totalWins: row.wins,
    winRate: winRate(row),
    averageScore: averageScore(row),
  };
}
