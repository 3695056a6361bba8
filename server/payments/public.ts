// payments/ offers payments: collecting a price, settling what is owed, and finding out what happened to a transfer. The
// rest is private.

// Money in: a verb collects the price of a payable subject.
export { collectPayment, type PaymentsSeen, seePayments } from './collect-payment.ts';
// Money out: payouts/ claims and settles transfers.
export { settlePayout, resolveOpenPayment } from './settle-now.ts';
export { alertSignerDown, claimOutgoing } from './sign-payout.ts';
export { listPaymentRows, type PaymentRow } from './queries.ts';
// Recurring work, and what an operator triggers.
export { authorizationQuery } from './resolve-payment.ts';
export { sweepPayments } from './sweep.ts';
// Reads.
export {
  countUndecided,
  hasLivePayment,
  isLost,
  liveSubjects,
  mayStillSettle,
  settledPaymentsBy,
  settledPaymentsOf,
  type SettledMoney,
  unscannedPayments,
  type VanishedPayment,
  vanishedPayments,
  sumDays,
  type VolumeRow,
} from './read-queries.ts';
// A recovery books transfers that the chain shows and the database lost.
export {
  bookTransfer,
  claimPaidOut,
  paymentOfTransfer,
  recoverIncoming,
  type AuthorizedTransfer,
} from './recover-payment.ts';
// A settled payment is not on chain any more.
export { requireOnChain, requirePrize, takeBackVanished } from './vanished.ts';
// A reorganization moved the transfers of settled payments.
export { type MovedPayment, relocatePayments } from './relocate.ts';
// Routes, and the setup that service.ts hands in.
export { PAYMENT_TIMES, type PaymentDeps } from './deps.ts';

// Transfers to the treasury that belong to no payment, and those out of it that an operator adopted.
export {
  findStray,
  listStrayRows,
  takeStray,
  type StrayTransfer,
  unclaimedStrays,
  strayId,
  straysBetween,
} from './strays/stray-queries.ts';
export { unexplainedTransfers, type AdoptedTransfer, bookAdoptedTransfer, adoptedBetween } from './strays/adopted.ts';
export { recordStrays } from './strays/stray.ts';
