// What reconciliation/ offers to other folders; everything else in it is private.

export { checkHourly } from './check-hourly.ts';
export { unsettledPayouts } from './check-payouts.ts';
export { reconciliationRoutes } from './routes.ts';
