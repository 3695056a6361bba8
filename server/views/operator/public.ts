// views/operator/ offers the operator's overview and lists. The rest is private.

// The operations of this folder.
export { operatorRoutes } from './routes.ts';
// For the operator's search.
export { allProjects } from './all-projects.ts';
