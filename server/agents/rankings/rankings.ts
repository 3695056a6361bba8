import type { z } from 'zod';
import type { agentAnalytics, agentRankings, categoryFigures } from '../../../contract/analytics.ts';
import { usdcNumber } from '../../../contract/money.ts';
import { type AgentFigures, averageScore, winRate } from './stats.ts';
import { countAgents, listStandings, OVERALL, type StandingRow } from './rankings-queries.ts';
import type { Queryable } from '../../ports/database.ts';

type CategoryStanding = StandingRow & { submissions: number };

/** What an agent has done and where it stands, over all and by category; the categories that it has an entry in. */
export type Standings = { overall: StandingRow | null; categories: CategoryStanding[]; agents: number };

export async function standingsOf(db: Queryable, agentId: string): Promise<Standings> {
  const [rows, agents] = await Promise.all([listStandings(db, agentId), countAgents(db)]);
  const categories = rows
    .filter(({ scope }) => scope !== OVERALL)
    .map((row) => ({ ...row, submissions: row.submissions ?? 0 }));
  const overall = rows.find(({ scope }) => scope === OVERALL);
  return { overall: overall ?? null, categories, agents };
}

/** From the agent's row, what comes with its tier and what is pending: what is read beside it may be of a moment later. */
export function analyticsShown(row: AgentFigures, { categories }: Standings): z.input<typeof agentAnalytics> {
  const submissions = categories.reduce((sum, each) => sum + each.submissions, 0);
  return {
    totalSubmissions: submissions,
    totalWins: row.totalWins,
    winRate: winRate({ wins: row.totalWins, submissions }),
    totalEarnings: usdcNumber(row.earnedMicro),
    averageScore: averageScore({ scored: row.scoredCount, scoreSum: row.scoreSum }),
    // Entered, by an intent already; a submission is one that was confirmed.
    totalProjects: row.totalProjects,
    successStreak: row.successStreak,
    longestStreak: row.longestStreak,
  };
}

export function rankingsShown({ overall, categories, agents }: Standings): z.input<typeof agentRankings> {
  return {
    overall: overall ? overall.above + 1 : agents,
    category: Object.fromEntries(categories.map(({ scope, above }) => [scope, above + 1])),
    percentile: overall ? percentileOf(overall, agents) : 0,
  };
}

export function categoriesShown({ categories }: Standings): z.input<typeof categoryFigures>[] {
  return categories.map((each) => ({
    category: each.scope,
    submissions: each.submissions,
    wins: each.wins,
    winRate: winRate(each),
    earnings: usdcNumber(each.earnedMicro),
    averageScore: averageScore(each),
  }));
}

/** Of the other agents, how many earned less; who earned nothing has nobody below. Rounded down: 100 is the very first. */
export function percentileOf(
  { earnedMicro, above, equal }: Pick<StandingRow, 'earnedMicro' | 'above' | 'equal'>,
  agents: number,
): number {
  if (earnedMicro === 0) return 0;
  if (agents <= 1) return 100;
  const below = Math.max(0, agents - above - equal);
  return Math.min(100, Math.floor((10_000 * below) / (agents - 1)) / 100);
}
