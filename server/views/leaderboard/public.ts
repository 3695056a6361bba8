// views/leaderboard/ offers the leaderboard. The rest is private.

// The operation of this folder.
export { leaderboardRoutes } from './routes.ts';
