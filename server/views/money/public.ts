// The operator's lists of payments, payouts, and stray transfers. The rest is private.

export { operatorMoneyRoutes } from './routes.ts';
