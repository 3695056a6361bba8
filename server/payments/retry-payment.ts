import { DomainError } from '../../contract/basics/errors.ts';
import type { moneyOutOperations } from '../../contract/operator/money-out.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import { recordAudit } from '../audit/public.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { resolveOpenPayment } from './settle-now.ts';
import { findPayment, type PaymentRow } from './queries.ts';
import type { OperatorCaller } from '../callers.ts';
import { snakeCased } from '../snake-case.ts';

type Operation = typeof moneyOutOperations.retryPayment;

/** Resolves a payment now instead of at the sweeper's next turn. */
export async function retryPayment(
  ctx: Context<OperatorCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const payment = await findPayment(ctx.db, params.payment_id);
  if (!payment) throw new DomainError('NOT_FOUND', 'No such payment.');
  await withTransaction(ctx.db, (tx) =>
    recordAudit(ctx, tx, {
      at: ctx.clock.now(),
      actor: 'operator',
      action: 'payment.retry',
      subject: `payment:${payment.id}`,
      reason: body.reason,
      details: { state: payment.state },
    }),
  );
  if (payment.state === 'settling') await resolveOpenPayment(ctx, payment);
  const now = (await findPayment(ctx.db, payment.id)) ?? payment;
  return { message: MESSAGES[now.state], payment: snakeCased(now) };
}

const MESSAGES: Record<PaymentRow['state'], string> = {
  settling: 'The outcome is not known yet; the service keeps checking.',
  settled: 'The payment is settled.',
  failed: 'The payment failed and counts for nothing. Should it execute late, the service returns the money.',
};
