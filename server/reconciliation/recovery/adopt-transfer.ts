import { DomainError } from '../../../contract/basics/errors.ts';
import type { recoveryOperations } from '../../../contract/operator/recovery.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { bookAdoptedTransfer } from '../../payments/public.ts';
import type { OperatorCaller } from '../../callers.ts';
import { bookLost } from './recover.ts';

type Operation = typeof recoveryOperations.adoptTransfer;

/**
 * Books a transfer out of the treasury that matches no payout to the account `unexplained`. The operator answers for it
 * with a reason. Whatever a recovery can book is booked first, so that only a transfer is adopted whose booking fails.
 */
export async function adoptTransfer(
  ctx: Context<OperatorCaller>,
  { body }: Input<Operation>,
): Promise<Output<Operation>> {
  const { findings } = await bookLost(ctx, { dryRun: false });
  const finding = findings.find(
    ({ transfer: { txHash, logIndex, from } }) =>
      from === ctx.payTo && txHash === body.tx_hash.toLowerCase() && logIndex === body.log_index,
  );
  if (!finding)
    throw new DomainError(
      'NOT_FOUND',
      'This transfer cannot be adopted: it is not final, does not leave the treasury, or belongs to a payout. Check tx_hash and log_index.',
    );
  const { transfer, outcome, subject } = finding;
  if (outcome !== 'unknown')
    return { message: `Nothing is left to adopt: the transfer is booked as ${subject ?? 'the return of a payment'}.` };
  if (!(await bookAdoptedTransfer(ctx, transfer, body.reason)))
    throw new DomainError('PROJECT_STATE_CONFLICT', 'This transfer is booked already.');
  return { message: 'The transfer is adopted. Run the recovery again to let payouts flow.' };
}
