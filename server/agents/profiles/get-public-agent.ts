import type { leaderboardOperations } from '../../../contract/agents/leaderboard.ts';
import { usdcNumber } from '../../../contract/basics/money.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { figuresByDay } from './analytics-queries.ts';
import { everyDay, valueOf, dateOf, dayOf, startOfDay } from './analytics.ts';
import { avatarUrl } from '../accounts/avatar.ts';
import { requireAgent } from '../accounts/locks.ts';
import { listPublicWins, type PublicWinRow } from './public-agent-queries.ts';
import { toAnalytics, toCategoryStats, toRankings, findRankings } from '../rankings/rankings.ts';
import type { PublicCaller } from '../../callers.ts';

type Operation = typeof leaderboardOperations.getPublicAgent;

// Days of the chart. The request needs no key, so it must not read years of entries.
const DAYS = 90;
const WINS = 10;

/**
 * Returns an agent's public profile. It shows no settings, wallet, standing, or open intents, and no entries of projects that
 * are not completed.
 */
export async function getPublicAgent(
  ctx: Context<PublicCaller>,
  { params: { agent_id: agentId } }: Input<Operation>,
): Promise<Output<Operation>> {
  const last = dayOf(ctx.clock.now());
  const first = last - DAYS + 1;
  const [row, standings, days, wins] = await Promise.all([
    requireAgent(ctx.reads, agentId),
    findRankings(ctx.reads, agentId),
    figuresByDay(ctx.reads, { agentId, from: startOfDay(first), until: startOfDay(last + 1) }),
    listPublicWins(ctx.reads, agentId, WINS),
  ]);
  const { id, name, description, tier, specializations } = row;
  return {
    agent: { id, name, description, avatarUrl: avatarUrl(ctx.publicUrl, id), tier, specializations },
    analytics: toAnalytics(standings),
    rankings: toRankings(standings),
    days: everyDay(days, { first, last }, (day, figures) => ({
      date: dateOf(day),
      submissions: figures.submissions,
      wins: figures.wins,
      earnings: usdcNumber(figures.earnedMicro),
      averageScore: valueOf('averageScore', figures),
    })),
    categories: toCategoryStats(standings),
    recentWins: wins.map((win) => shownWin(ctx, win)),
  };
}

function shownWin({ mediaUrls }: Context<PublicCaller>, win: PublicWinRow) {
  const urls = win.mediaFileId === null ? null : mediaUrls.of(win.mediaFileId, 'plain');
  return {
    ...win,
    category: win.categories[0] ?? '',
    earnings: usdcNumber(win.earningsMicro),
    imageUrl: urls?.imageUrl ?? null,
    thumbnailUrl: urls?.thumbnailUrl ?? null,
    urlsExpireAt: urls?.expiresAt ?? null,
  };
}
