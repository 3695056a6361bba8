// payouts/ offers what the service owes: recording a debt, paying it, and correcting it in a recovery. The rest is private.

export { sendPayouts } from './send-payouts.ts';

// The debts: a prize, shares of it, refunds of a project.
export { oweFeeRefunds, owePrize, owePrizeRefund, oweShares, refundLatePayment } from './owe.ts';

// Functions that payments/ calls in the transaction that books a payment.
export { payoutHandler, type SettledPayout, type SettledPayoutHandler } from './payout-handler.ts';

// A recovery books transfers as payouts, gives lost transfers back, and holds what the chain contradicts.
export { contradictProject, holdReturns, isContradicted, MAY_BE_SPENT, projectsOwing } from './contradiction.ts';
export { bookAsPayout, unsettledByNonce } from './recover-payout.ts';
export { giveStrayBack, strayPage } from './strays.ts';
export { payoutNonce, prizeReference, refundReference, shareReference, strayReference } from './references.ts';

// Reads of payouts for other domains.
export {
  hasOtherUnsettledAwards,
  hasRefusedPrize,
  paidTotalMicro,
  payoutOverviews,
  payoutStatus,
  type PayoutOverview,
} from './overview.ts';
export {
  findByReference,
  listPayoutRows,
  moveAward,
  payoutColumns,
  payoutsOfSubmissions,
  unsettledFrom,
  type PayoutKind,
  type PayoutRow,
} from './queries.ts';
// An award that is taken back.
export { deleteUnsent, lockPrizeOf } from './state-queries.ts';

// The recurring work that pays awards whose agents link no wallet.
export { payUnclaimed } from './pay-unclaimed.ts';
