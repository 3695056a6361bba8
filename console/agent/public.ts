/**
 * The area of an agent's owner, opened with the agent's API key.
 */
export { agentArea } from './routes.ts';
