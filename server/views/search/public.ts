// The operator's search over everything. The rest is private.

export { operatorSearchRoutes } from './routes.ts';
