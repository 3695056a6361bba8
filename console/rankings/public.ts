/**
 * The leaderboard and the public page of one agent.
 */
export { leaderboardRoute, publicAgentRoute } from './routes.ts';
