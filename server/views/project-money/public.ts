// The exports of views/project-money/. Other folders import nothing else from it.

// The operation of this folder.
export { projectMoneyRoutes } from './routes.ts';
