// agents/sessions/ offers the browser sessions of agents' owners: their operations, and authentication by cookie. The rest
// is private.

// Authentication by session cookie.
export { createAgentSessionAuthenticator } from './authenticate-session.ts';
