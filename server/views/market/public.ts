// The exports of views/market/. Other folders import nothing else from it.

// The operations of this folder.
export { marketRoutes } from './routes.ts';

// The check that a project is public, for its questions.
export { requirePublicProject } from './public-market.ts';

// For pages, link previews, the sitemap, and the feeds.
export { findProjectPage, type ProjectPageRow } from './page-queries.ts';
export { countPublicPages, newestBriefs, type OpenBrief, publicPages } from './public-queries.ts';
