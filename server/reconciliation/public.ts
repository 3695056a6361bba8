// reconciliation/ offers the check of the books against the chain, hourly and on demand. The rest is private.

export { checkHourly } from './check-hourly.ts';

// The check of a start: the treasury is the one of this database.
export { requireTreasury } from './require-treasury.ts';

// One check, and what it reads, for recovery/.
export { checkLedger } from './check-ledger.ts';
export { scanAhead } from './scan-ahead.ts';
export { scanStart, settledBetween } from './queries.ts';

// The stray that represents the treasury's balance before the first check.
export { INITIAL_BALANCE_TX_HASH } from './queries.ts';

// Unsettled payouts by state, for the overview and the metrics.
export { unsettledPayouts } from './payout-queries.ts';
