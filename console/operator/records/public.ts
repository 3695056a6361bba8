/**
 * Lists and detail pages of agents, projects, deliveries, flags, objections and the audit trail.
 */
export { recordRoutes } from './routes.ts';
