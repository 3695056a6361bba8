// agents/accounts/keys/ offers these names to other folders; everything else in it is private.

// The operations on an agent's API keys.
export { agentKeyRoutes } from './routes.ts';
