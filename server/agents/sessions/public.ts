// The public interface of agents/sessions/. Everything else in it is private.

// HTTP operations: sign in by key or by wallet, read sessions, sign out.
export { agentSessionRoutes } from './routes.ts';

// Authentication by session cookie.
export { createAgentSessionAuthenticator } from './authenticate-session.ts';
