/**
 * Flags of entries that look like copies, and objections to results on hold.
 */
export { disputeRoutes } from './routes.ts';
