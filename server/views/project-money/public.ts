// What views/project-money/ offers to other folders; everything else in it is private.

export { projectMoneyRoutes } from './routes.ts';
