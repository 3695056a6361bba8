// The operator's lists of payments, payouts, stray transfers, approvals, and objections. The rest is private.

export { operatorMoneyRoutes } from './routes.ts';
