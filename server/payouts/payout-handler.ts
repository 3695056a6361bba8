import type { Tx } from '../ports/database.ts';
import type { PayoutHandler } from '../ports/payments.ts';
import { lockPayout, markPaidOut, type PayoutRow } from './queries.ts';

/** A payout whose transfer is on chain, inside the transaction that books it. */
export type SettledPayout = PayoutRow & { recipient: string; txHash: string; settledAt: Date };

/**
 * The domain that a payout concerns passes this object at composition. `settled` runs in the transaction that books the
 * payout.
 */
export type SettledPayoutHandler = {
  settled(tx: Tx, payout: SettledPayout): Promise<void>;
};

/**
 * Creates the handler that payments/ calls when an outgoing transfer is booked. It marks the payout as settled and
 * calls `settled`.
 */
export function payoutHandler({ settled }: SettledPayoutHandler): PayoutHandler {
  return {
    async booked(tx, payment) {
      const payout = await lockPayout(tx, payment.subjectId);
      // The payment was claimed from this row, and its amount and recipient never change. Any difference is a bug, so
      // the booking must fail.
      if (payout?.state !== 'sending' || payout.recipient === null)
        throw new Error(`payout ${payment.subjectId} is not being sent`);
      if (payout.amountMicro !== payment.amountMicro || payout.recipient !== payment.payTo)
        throw new Error(`payout ${payout.id} and payment ${payment.id} differ in amount or recipient`);
      const { recipient } = payout;
      await markPaidOut(tx, payout.id, payment.txHash, payment.at);
      await settled(tx, { ...payout, recipient, state: 'settled', txHash: payment.txHash, settledAt: payment.at });
      return { debitFrom: payout.debitAccount };
    },
  };
}
