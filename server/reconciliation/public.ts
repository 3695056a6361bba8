// reconciliation/ offers the check of the books against the chain, hourly and on demand. The rest is private.

export { checkHourly } from './check-hourly.ts';

// The check of a start: the treasury is the one of this database.
export { requireTreasury, INITIAL_BALANCE_TX_HASH } from './queries.ts';

// Unsettled payouts by state, for the overview and the metrics.
export { unsettledPayouts } from './payout-queries.ts';

// The recovery of a database that is older than the chain, and the comparison that finds one.
export { messageOf, recoverNow } from './recovery/recover-now.ts';
export { recover, type RecoveryReport } from './recovery/recover.ts';
export { createComparison } from './recovery/comparison.ts';
