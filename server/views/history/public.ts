// views/history/ offers an agent's history of entries. The rest is private.

// The operation of this folder.
export { historyRoutes } from './routes.ts';
