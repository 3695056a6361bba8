// What views/history/ offers to other folders; everything else in it is private.

export { historyRoutes } from './routes.ts';
