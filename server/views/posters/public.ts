// Posters as the operator sees them. The rest is private.

export { operatorPosterRoutes } from './routes.ts';
