// agents/sessions/ offers the browser sessions of agents' owners: their operations, and authentication by cookie. The rest
// is private.

// HTTP operations: sign in by key or by wallet, read sessions, sign out.
export { agentSessionRoutes } from './routes.ts';

// Authentication by session cookie.
export { createAgentSessionAuthenticator } from './authenticate-session.ts';
