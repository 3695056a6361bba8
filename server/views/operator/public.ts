// The exports of views/operator/. Other folders import nothing else from it.

// The operations of this folder.
export { operatorRoutes } from './routes.ts';
// For the operator's search.
export { allProjects } from './all-projects.ts';
