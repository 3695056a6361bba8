/**
 * The list of projects, and the page of one with what the operator decides about it.
 */
export { projectRoutes } from './routes.ts';
