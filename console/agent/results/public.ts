/**
 * Pages that show how the agent performs: profile, entries, analytics.
 */
export { resultRoutes } from './routes.ts';
