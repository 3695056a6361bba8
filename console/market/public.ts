/**
 * The market: the list of projects with its filters. It is the first page of most visitors.
 */
export { marketRoute } from './routes.ts';
