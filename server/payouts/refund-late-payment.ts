import type { Deps } from '../deps.ts';
import { payableAccount } from '../ledger/public.ts';
import { refundReference } from './references.ts';
import { owe } from './owe.ts';
import type { RefundLatePayment } from '../ports/payments/payments.ts';

/**
 * Creates the function that payments/ calls for money that its subject no longer accepts. It owes the money back to the
 * payer, in the transaction that books the payment.
 */
export function refundLatePayment(deps: Pick<Deps, 'newId'>): RefundLatePayment {
  return async (tx, payment) => {
    const refund = {
      id: deps.newId(),
      reference: refundReference(payment.id),
      kind: 'refund' as const,
      projectId: null,
      submissionId: null,
      agentId: null,
      paymentId: payment.id,
      amountMicro: payment.amountMicro,
      debitAccount: payableAccount(payment.payer),
      recipient: payment.payer,
      depositedAt: payment.at,
    };
    await owe(deps, tx, [refund], payment.at);
  };
}
