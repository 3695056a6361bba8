// views/flags/ offers the operator's list of flags. The rest is private.

export { flagRoutes } from './routes.ts';
