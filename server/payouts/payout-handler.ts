import { lockPayout, markPaidOut } from './queries.ts';
import type { PayoutSetup } from './settled-payout.ts';
import type { PayoutHandler } from '../ports/payments.ts';

/** What a settled transfer out means for its payout, and through `settled` for what it was owed for. */
export function payoutBooked({ settled }: PayoutSetup): PayoutHandler {
  return {
    async booked(tx, payment) {
      const payout = await lockPayout(tx, payment.subjectId);
      // It was claimed from this row and both are fixed: anything else is a fault that nobody should book over.
      if (payout?.state !== 'sending' || payout.recipient === null)
        throw new Error(`payout ${payment.subjectId} is not being sent`);
      if (payout.amountMicro !== payment.amountMicro || payout.recipient !== payment.payTo)
        throw new Error(`payout ${payout.id} is not what payment ${payment.id} transferred`);
      const { recipient } = payout;
      await markPaidOut(tx, payout.id, payment.txHash, payment.at);
      await settled(tx, { ...payout, recipient, state: 'settled', txHash: payment.txHash, settledAt: payment.at });
      return { debitFrom: payout.debitAccount };
    },
  };
}
