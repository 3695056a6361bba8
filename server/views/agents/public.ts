// What views/agents/ offers to other folders; everything else in it is private.

export { profileRoutes } from './routes.ts';
