/**
 * The people who run the service: their keys and codes, and the acts that one of them requests and another approves.
 */
export { peopleRoutes } from './routes.ts';
