import { DomainError } from '../../../contract/basics/errors.ts';
import type { recoveryOperations } from '../../../contract/operator/recovery.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { adoptTransfer as adopt } from '../../payments/public.ts';
import type { OperatorCaller } from '../../ports/callers.ts';
import { explainOutgoing } from './explain.ts';
import { firstUnknownBlock, lostTransfers } from './transfers.ts';

type Operation = typeof recoveryOperations.adoptTransfer;

/**
 * Books a transfer out of the treasury that matches no payout to the account `unexplained`. The operator answers for it
 * with a reason. A transfer that a recovery can book as a payout is refused.
 */
export async function adoptTransfer(
  ctx: Context<OperatorCaller>,
  { body }: Input<Operation>,
): Promise<Output<Operation>> {
  const [first, until] = await Promise.all([firstUnknownBlock(ctx), ctx.chain.finalBlock()]);
  const lost = await lostTransfers(ctx, { from: first ?? (await ctx.chain.searchStart()), until });
  const transfer = lost.find(
    ({ txHash, logIndex, from }) =>
      from === ctx.payTo && txHash === body.tx_hash.toLowerCase() && logIndex === body.log_index,
  );
  if (!transfer) throw new DomainError('NOT_FOUND', 'No final transfer out of the treasury without a payout is there.');
  const explanation = await explainOutgoing(ctx, transfer);
  if (explanation.as !== 'unknown')
    throw new DomainError(
      'PROJECT_STATE_CONFLICT',
      `This transfer is ${explanation.subject}; run the recovery instead.`,
    );
  if (!(await adopt(ctx, transfer, body.reason)))
    throw new DomainError('PROJECT_STATE_CONFLICT', 'This transfer is booked already.');
  return { message: 'The transfer is adopted. Run the recovery again to let payouts flow.' };
}
