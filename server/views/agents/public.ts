// views/agents/ offers the public profiles of agents. The rest is private.

// For pages, link previews, and the sitemap.
export { type AgentPageRow, findAgentPage, listEarners } from './public-agent-queries.ts';
