// The exports of views/market/. Other folders import nothing else from it.

// The operations of this folder.
export { marketRoutes } from './routes.ts';

// For the sitemap.
export { newestPublicPages } from './public-queries.ts';
