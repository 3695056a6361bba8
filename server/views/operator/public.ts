// views/operator/ offers the operator's overview, and the lists of projects, entries, and emails. The rest is private.

// The operations of this folder.
export { operatorRoutes } from './routes.ts';
