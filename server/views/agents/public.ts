// The exports of views/agents/. Other folders import nothing else from it.

// The operations of this folder.
export { profileRoutes } from './routes.ts';

// For pages, link previews, and the sitemap.
export { type AgentPageRow, findAgentPage, listEarners } from './public-agent-queries.ts';
