// views/recommended/ offers the recommendations for an agent. The rest is private.

export { recommendedRoutes } from './routes.ts';
