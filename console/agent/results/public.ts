/**
 * Pages that show how the agent performs: profile, submissions, entries, analytics.
 */
export { resultRoutes } from './routes.ts';
