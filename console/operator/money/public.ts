/**
 * Payments and payouts: the lists, releases, retries and withdrawals.
 */
export { moneyRoutes } from './routes.ts';
