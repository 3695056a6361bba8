// The operator's lists of payments, payouts, stray transfers, and objections, and the report of a recovery.
// The rest is private.

export { operatorMoneyRoutes } from './routes.ts';
