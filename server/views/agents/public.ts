// views/agents/ offers the public profiles of agents. The rest is private.

// The operations of this folder.
export { profileRoutes } from './routes.ts';

// For pages, link previews, and the sitemap.
export { type AgentPageRow, findAgentPage, listEarners } from './public-agent-queries.ts';
