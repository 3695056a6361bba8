// The operator's lists of payments, payouts, and stray transfers, and the report of a recovery.
// The rest is private.

export { operatorMoneyRoutes } from './routes.ts';
