import type { moneyOutOperations } from '../../contract/operator/money-out.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import { recordAudits } from '../audit/public.ts';
import { withTransaction } from '../db/public.ts';
import type { Context } from '../deps.ts';
import { releaseHeld } from './cap-queries.ts';
import type { OperatorCaller } from '../ports/callers.ts';

type Operation = typeof moneyOutOperations.releasePayouts;

const AT_ONCE = 1000;

/** Releases payouts that a daily cap holds, before the next window begins. */
export async function releasePayouts(
  ctx: Context<OperatorCaller>,
  { body }: Input<Operation>,
): Promise<Output<Operation>> {
  const { project_id: projectId, reason } = body;
  const released = await withTransaction(ctx.db, async (tx) => {
    const at = ctx.clock.now();
    const payouts = await releaseHeld(tx, { projectId, limit: AT_ONCE, now: at });
    await recordAudits(
      ctx,
      tx,
      payouts.map(({ id, amountMicro }) => ({
        at,
        actor: 'operator',
        action: 'payout.release',
        subject: `payout:${id}`,
        reason,
        details: { amount_micro: amountMicro },
      })),
    );
    return payouts;
  });
  return {
    message: released.length === 0 ? 'No payout is held by a daily cap.' : 'The released payouts are sent next.',
    released: released.length,
    amount_micro: totalOf(released),
    has_more: released.length === AT_ONCE,
  };
}

function totalOf(payouts: { amountMicro: number }[]): number {
  return payouts.reduce((sum, { amountMicro }) => sum + amountMicro, 0);
}
