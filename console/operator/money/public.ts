/**
 * Payments, payouts and stray transfers: the lists, releases, retries, returns and withdrawals. Also the recovery of a
 * database that is older than the chain.
 */
export { moneyRoutes } from './routes.ts';
