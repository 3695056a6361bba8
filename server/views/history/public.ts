// The exports of views/history/. Other folders import nothing else from it.

// The operation of this folder.
export { historyRoutes } from './routes.ts';
