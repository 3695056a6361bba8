// What views/leaderboard/ offers to other folders; everything else in it is private.

export { leaderboardRoutes } from './routes.ts';
