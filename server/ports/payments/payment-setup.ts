import type { PayableSubjects } from './payable-subject.ts';
import type { OutgoingKind, RefundLatePayment, PayoutHandler } from './payments.ts';

export type PaymentTimes = {
  /** How long a request waits for an outcome before it answers PAYMENT_PENDING. */
  waitMs: number;
  /** How long the process that resolves a payment keeps other processes from it. */
  leaseMs: number;
};

/** How this deployment takes and makes payments. */
export type PaymentSetup = PaymentTimes & {
  subjects: PayableSubjects;
  payoutHandlers: Record<OutgoingKind, PayoutHandler>;
  refundLatePayment: RefundLatePayment;
};
