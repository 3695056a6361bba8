// The exports of views/operator/. Other folders import nothing else from it.

// The operations of this folder.
export { operatorRoutes } from './routes.ts';
