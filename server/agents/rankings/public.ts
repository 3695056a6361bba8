// What agents/rankings/ offers to other folders; everything else in it is private.

export { checkFigures, newestFigureCheck } from './check-stats.ts';
export { OVERALL, agentsAbove } from './rankings-queries.ts';
export { analyticsShown, categoriesShown, rankingsShown, standingsOf, type Standings } from './rankings.ts';
export { lockAgentsForAward, recordConfirmed, recordEarned, recordIntent, recordResults } from './results.ts';
export { averageScore, winRate, type AgentFigures } from './stats.ts';
export { dateOf, dayOf, startOfDay } from './utc-days.ts';
