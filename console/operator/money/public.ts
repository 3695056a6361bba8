/**
 * Payments, payouts and stray transfers: the lists, releases, retries, returns and withdrawals.
 */
export { moneyRoutes } from './routes.ts';
