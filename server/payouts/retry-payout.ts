import { DomainError } from '../../contract/basics/errors.ts';
import type { moneyOutOperations } from '../../contract/operator/money-out.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import { recordAudit } from '../audit/public.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { resolveOpenPayment } from '../payments/public.ts';
import { payoutsStopped } from '../ledger/public.ts';
import { releaseSending } from './contradiction.ts';
import { findPayout, lockPayout, type PayoutRow, updateReleased } from './queries.ts';
import type { OperatorCaller } from '../callers.ts';
import { snakeCased } from '../snake-case.ts';

type Operation = typeof moneyOutOperations.retryPayout;

/**
 * Releases a held payout from the caps, sends an amount that adds up with others, or retries a payout that could not be
 * sent or settled.
 */
export async function retryPayout(
  ctx: Context<OperatorCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const { payout_id: id } = params;
  const payout = await withTransaction(ctx.db, async (tx) => {
    const found = await lockPayout(tx, id);
    if (!found) throw new DomainError('NOT_FOUND', 'No such payout.');
    requireSendable(found);
    const now = ctx.clock.now();
    await updateReleased(tx, id, now);
    await releaseSending(tx, id);
    await recordAudit(ctx, tx, {
      at: now,
      actor: 'operator',
      action: found.state === 'held' || found.state === 'credited' ? 'payout.release' : 'payout.retry',
      subject: `payout:${id}`,
      reason: body.reason,
      details: { amount_micro: found.amountMicro, held_for: found.state === 'held' ? found.note : null },
    });
    return found;
  });
  if (payout.state === 'sending') await resolveOpenPayment(ctx, { kind: paymentKind(payout), subjectId: id });
  const now = (await findPayout(ctx.db, id)) ?? payout;
  const stopped = now.state === 'settled' ? null : await payoutsStopped(ctx.db);
  const message =
    stopped === null
      ? MESSAGES[now.state]
      : `Payouts are stopped until a ledger check finds no mismatch. The newest check found: ${stopped}`;
  return { message, payout: snakeCased(now) };
}

function requireSendable({ state }: PayoutRow): void {
  if (state === 'settled') throw new DomainError('PROJECT_STATE_CONFLICT', 'This payout is already settled.');
  if (state === 'waiting')
    throw new DomainError(
      'PROJECT_STATE_CONFLICT',
      'This payout waits for a wallet of its agent. An operator cannot choose the wallet.',
    );
}

function paymentKind({ kind }: PayoutRow): 'payout' | 'refund' {
  return kind === 'refund' || kind === 'return' ? 'refund' : 'payout';
}

const MESSAGES: Record<PayoutRow['state'], string> = {
  waiting: 'The payout waits for a wallet.',
  held: 'The payout is held.',
  ready: 'The payout is sent next.',
  refused: 'USDC refuses transfers to this wallet.',
  credited: 'The amount goes out with the next transfer to its wallet.',
  sending: 'The payout is being settled; its outcome is not known yet.',
  settled: 'The payout is settled.',
};
