// The exports of views/leaderboard/. Other folders import nothing else from it.

// The operation of this folder.
export { leaderboardRoutes } from './routes.ts';
