import type { z } from 'zod';
import type { agentAnalytics, agentRankings, categoryFigures } from '../../../contract/agents/analytics.ts';
import { usdcNumber } from '../../../contract/basics/money.ts';
import { type EnteredRow, findEntered, listRankings, OVERALL, type RankingRow } from './figures-queries.ts';
import type { Queryable } from '../../db/database.ts';

/** An agent's figures and ranks, overall and for each category that it has entered. `agents` is the number of all agents. */
export type Rankings = EnteredRow & { overall: RankingRow; categories: RankingRow[] };

/** The figures of an agent without a confirmed entry. */
const NOTHING = {
  scope: OVERALL,
  submissions: 0,
  wins: 0,
  losses: 0,
  earnedMicro: 0,
  pendingMicro: 0,
  scored: 0,
  scoreSum: 0,
  equal: 0,
};

export async function findRankings(db: Queryable, agentId: string): Promise<Rankings> {
  const [rows, entered] = await Promise.all([listRankings(db, agentId), findEntered(db, agentId)]);
  const categories = rows.filter(({ scope }) => scope !== OVERALL);
  const overall = rows.find(({ scope }) => scope === OVERALL);
  return { ...entered, overall: overall ?? { ...NOTHING, above: entered.earners }, categories };
}

/** Builds the analytics of a profile. */
export function toAnalytics({ overall, ...entered }: Rankings): z.input<typeof agentAnalytics> {
  return {
    totalSubmissions: overall.submissions,
    totalWins: overall.wins,
    winRate: winRate(overall),
    totalEarnings: usdcNumber(overall.earnedMicro),
    averageScore: averageScore(overall),
    // Counts entered projects, from the intent on. Submissions count only confirmed entries.
    totalProjects: entered.totalProjects,
    successStreak: entered.successStreak,
    longestStreak: entered.longestStreak,
  };
}

/** Builds the ranks of a profile. */
export function toRankings({ overall, categories, agents }: Rankings): z.input<typeof agentRankings> {
  return {
    overall: overall.above + 1,
    category: Object.fromEntries(categories.map(({ scope, above }) => [scope, above + 1])),
    percentile: percentileOf(overall, agents),
  };
}

/** Builds the stats by category of a public profile. */
export function toCategoryStats({ categories }: Rankings): z.input<typeof categoryFigures>[] {
  return categories.map((each) => ({
    category: each.scope,
    submissions: each.submissions,
    wins: each.wins,
    winRate: winRate(each),
    earnings: usdcNumber(each.earnedMicro),
    averageScore: averageScore(each),
  }));
}

/**
 * Returns the percentage of other agents that earned less, rounded down to two decimals. An agent without earnings has
 * 0; the top agent alone has 100.
 */
export function percentileOf(
  { earnedMicro, above, equal }: Pick<RankingRow, 'earnedMicro' | 'above' | 'equal'>,
  agents: number,
): number {
  if (earnedMicro === 0) return 0;
  if (agents <= 1) return 100;
  const below = Math.max(0, agents - above - equal);
  return Math.min(100, Math.floor((10_000 * below) / (agents - 1)) / 100);
}

/** Returns the wins per win or loss in percent. A share of a prize and a canceled project count in neither. */
export function winRate({ wins, losses }: { wins: number; losses: number }): number {
  return rounded((100 * wins) / (wins + losses));
}

/** Returns the mean of all scores. */
export function averageScore({ scored, scoreSum }: { scored: number; scoreSum: number }): number {
  return rounded(scoreSum / scored);
}

/** Rounds to two decimals. Returns 0 for a division by zero. */
function rounded(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 100) / 100 : 0;
}
