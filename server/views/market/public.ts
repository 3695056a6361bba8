// What views/market/ offers to other folders; everything else in it is private.

export { marketRoutes } from './routes.ts';
