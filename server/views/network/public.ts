// views/network/ offers what payments use, and whether the service takes money. The rest is private.

export { networkRoutes } from './routes.ts';
