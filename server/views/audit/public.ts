// The audit trail with the names of its actors and subjects. The rest is private.

export { auditRoutes } from './routes.ts';
