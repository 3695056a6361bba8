import type { Deps } from '../deps.ts';
import type { PaymentSetup, PaymentTimes, PaymentKind } from './types.ts';

/** The needs of the payments state machine. Any `Context` meets them. */
export type PaymentDeps = Pick<
  Deps,
  'db' | 'clock' | 'newId' | 'chain' | 'facilitator' | 'treasury' | 'paymentSeals' | 'balances' | 'comparison' | 'log'
> & {
  payments: PaymentSetup;
};

/** Every known client waits longer than 15 s for an answer. The lease outlives that wait. */
export const PAYMENT_TIMES: PaymentTimes = { waitMs: 15_000, leaseMs: 30_000 };

const SUBJECTS: Record<PaymentKind, string> = {
  entry_fee: 'submissionId',
  escrow: 'projectId',
  payout: 'payoutId',
  refund: 'payoutId',
};

/** Names a payment and what it is for in a line of the log. */
export const idsOf = ({ id, kind, subjectId }: { id: string; kind: PaymentKind; subjectId: string }) => ({
  paymentId: id,
  [SUBJECTS[kind]]: subjectId,
});
