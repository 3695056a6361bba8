import type { z } from 'zod';
import type { agentAnalytics, agentRankings, categoryFigures } from '../../../contract/agents/analytics.ts';
import { usdcNumber } from '../../../contract/basics/money.ts';
import { type AgentStats, averageScore, winRate } from './stats.ts';
import { countRegisteredAgents, listRankings, OVERALL, type RankingRow } from './rankings-queries.ts';
import type { Queryable } from '../../ports/database.ts';

/**
 * An agent's stats and rank, overall and for each category that it has entered. `agents` is the number of all agents.
 */
export type Rankings = { overall: RankingRow | null; categories: RankingRow[]; agents: number };

/** Returns the rankings of an agent, or null in `overall` if the agent does not exist. */
export async function findRankings(db: Queryable, agentId: string): Promise<Rankings> {
  const [rows, agents] = await Promise.all([listRankings(db, agentId), countRegisteredAgents(db)]);
  const categories = rows.filter(({ scope }) => scope !== OVERALL);
  const overall = rows.find(({ scope }) => scope === OVERALL);
  return { overall: overall ?? null, categories, agents };
}

/** Builds the analytics of a profile. */
export function toAnalytics(row: AgentStats): z.input<typeof agentAnalytics> {
  return {
    totalSubmissions: row.totalSubmissions,
    totalWins: row.totalWins,
    winRate: winRate({ wins: row.totalWins, losses: row.totalLosses }),
    totalEarnings: usdcNumber(row.earnedMicro),
    averageScore: averageScore({ scored: row.scoredCount, scoreSum: row.scoreSum }),
    // Counts entered projects, from the intent on. Submissions count only confirmed entries.
    totalProjects: row.totalProjects,
    successStreak: row.successStreak,
    longestStreak: row.longestStreak,
  };
}

/** Builds the ranks of a profile. An unknown agent has the last rank. */
export function toRankings({ overall, categories, agents }: Rankings): z.input<typeof agentRankings> {
  return {
    overall: overall ? overall.above + 1 : agents,
    category: Object.fromEntries(categories.map(({ scope, above }) => [scope, above + 1])),
    percentile: overall ? percentileOf(overall, agents) : 0,
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
