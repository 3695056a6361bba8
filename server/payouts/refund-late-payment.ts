import type { Deps } from '../deps.ts';
import { payableAccount } from '../ledger/public.ts';
import { refundReference } from './references.ts';
import { owe } from './owe.ts';
import type { OwedBack } from '../ports/payments.ts';

/** Money that came and that nobody takes goes back to who paid it. Runs in the transaction that books it. */
export function owedBack(deps: Pick<Deps, 'newId'>): OwedBack {
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
    };
    await owe(deps, tx, [refund], payment.at);
  };
}
