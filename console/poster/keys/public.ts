/**
 * The page of the poster's API keys.
 */
export { keysRoute } from './routes.ts';
