// What payouts/ offers to other folders; everything else in it is private.

export { payoutBooked } from './payout-handler.ts';
export { allSettledBut, awardedMicro, payoutOverviews, type PayoutOverview } from './overview.ts';
export { owedBack } from './refund-late-payment.ts';
export { paidOutMicro } from './paid-out.ts';
export { payoutColumns, type PayoutKind, type PayoutRow } from './queries.ts';
export { payoutRoutes } from './routes.ts';
export { sendPayouts } from './send-payouts.ts';
export type { PayoutSetup, SettledPayout } from './settled-payout.ts';
export { payoutStatus } from './status.ts';
export { awardPrize, awardShares, payoutsOfSubmissions, refundProject } from './owe.ts';
