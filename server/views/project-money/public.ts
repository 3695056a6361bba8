// views/project-money/ offers the money of one project. The rest is private.

// The operation of this folder.
export { projectMoneyRoutes } from './routes.ts';
