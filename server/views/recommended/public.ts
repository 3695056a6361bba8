// What views/recommended/ offers to other folders; everything else in it is private.

export { recommendedRoutes } from './routes.ts';
