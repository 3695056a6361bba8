/**
 * The six pages of the operator: overview, projects, people, money, deliveries, and the audit trail.
 */
export { pageRoutes } from './routes.ts';
