/** The area of an agent's owner. */
export { agentArea } from './routes.ts';
