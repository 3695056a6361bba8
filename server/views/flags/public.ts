// What views/flags/ offers to other folders; everything else in it is private.

export { flagRoutes } from './routes.ts';
