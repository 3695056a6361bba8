// What payments/ offers to other folders; everything else in it is private.

export { claimOutgoing } from './sign-payout.ts';
export { collectPayment, readKnownPayments, type KnownPayments } from './collect-payment.ts';
export type { PaymentDeps } from './deps.ts';
export { drivePayout } from './drive-outgoing.ts';
export { findOut } from './settle-now.ts';
export { hasLivePayment } from './has-live-payment.ts';
export { liveSubjects } from './live-subjects.ts';
export { paymentFigures } from './metrics.ts';
export { PAYMENT_TIMES } from './payment-times.ts';
export type { SettledMoney } from './queries.ts';
export { paymentRoutes } from './routes.ts';
export { settledPaymentsOf } from './settled-payments.ts';
export { nobodysStrays, straysBetween, type StrayTransfer } from './stray-queries.ts';
export { recordStrays } from './stray.ts';
export { sweepPayments } from './sweep.ts';
export { volumeOf, type VolumeRow } from './volume.ts';
