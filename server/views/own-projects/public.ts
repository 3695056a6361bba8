// The exports of views/own-projects/. Other folders import nothing else from it.

export { ownProjectRoutes } from './routes.ts';
