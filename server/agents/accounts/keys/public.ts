// agents/accounts/keys/ offers the operations on an agent's API keys. The rest is private.

// The operations on an agent's API keys.
export { agentKeyRoutes } from './routes.ts';
