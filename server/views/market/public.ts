// The exports of views/market/. Other folders import nothing else from it.

// The operations of this folder.
export { marketRoutes } from './routes.ts';
