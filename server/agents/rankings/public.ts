// agents/rankings/ offers ranks and figures of agents, and the updates that keep them right. The rest is private.

// Ranks and figures of one agent, and their form in responses.
export { lockAgents, OVERALL, refreshFigures } from './figures-queries.ts';
export {
  averageScore,
  findRankings,
  toAnalytics,
  toCategoryStats,
  toRankings,
  type Rankings,
  winRate,
} from './rankings.ts';

// Updates of results, in the transaction that changes them.
export { moveWin, recordEarned, recordProjectResults, takeBackResults } from './results.ts';
export { tierProgress } from './tier-progress.ts';
export { countTierAwards } from './tier-queries.ts';

// Days of the UTC calendar.
export { dateOf, dayOf, startOfDay } from './utc-days.ts';
