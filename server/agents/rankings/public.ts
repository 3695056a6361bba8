// agents/rankings/ offers ranks and stats of agents, the updates that keep them right, and their nightly check. The rest is
// private.

// The nightly check of stored stats, and its newest result.
export { checkStats } from './check-stats.ts';
export { findNewestStatsCheck } from './check-stats-queries.ts';

// Ranks and stats of one agent, and their form in responses.
export { OVERALL, agentsAbove } from './rankings-queries.ts';
export { findRankings, toAnalytics, toCategoryStats, toRankings, type Rankings } from './rankings.ts';
export { averageScore, winRate, type AgentStats } from './stats.ts';

// Updates of the stats, in the transaction that changes them.
export { moveWin, recordConfirmed, recordIntent, recordWithdrawn, takeBackResults } from './result-queries.ts';
export { tierProgress } from './tier-progress.ts';
export { countTierAwards } from './tier-queries.ts';
export { lockAgentsForAward, recordEarned, recordProjectResults } from './results.ts';

// Days of the UTC calendar.
export { dateOf, dayOf, startOfDay } from './utc-days.ts';
