// What views/operator/ offers to other folders; everything else in it is private.

export { operatorRoutes } from './routes.ts';
