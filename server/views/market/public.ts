// views/market/ offers the public market: its lists, its projects, and what crawlers read of them. The rest is private.

// The check that a project is public, for its questions.
export { requirePublicProject } from './public-market.ts';

// For pages, link previews, the sitemap, and the feeds.
export { findProjectPage, type ProjectPageRow } from './page-queries.ts';
export { countPublicPages, newestBriefs, type OpenBrief, publicPages } from './public-queries.ts';
