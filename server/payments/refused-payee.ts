import { withTransaction } from '../db/public.ts';
import { isOutgoing } from '../x402/public.ts';
import type { PaymentDeps } from './deps.ts';
import { deleteUnspent } from './lease-queries.ts';
import type { PaymentRow } from './queries.ts';

/** `unknown`: another process decided meanwhile. */
type GivenUp = { outcome: 'unknown'; reason: string } | { outcome: 'failed'; reason: string; txHash: string };

/** The reason of a transfer out whose recipient the token refuses. */
export const REFUSED_PAYEE = 'refused_payee';

/** @throws ChainUnavailable */
export async function isPayeeRefused({ chain }: PaymentDeps, { payTo }: PaymentRow): Promise<boolean> {
  return (await chain.refusedOf?.([payTo]))?.has(payTo) ?? false;
}

/**
 * Gives up a transfer out to a recipient that the token refuses. Its authorization can never execute, so its row goes:
 * a later try has the same nonce, and needs its place. Its payout waits for an operator.
 */
export async function giveUpRefused(deps: PaymentDeps, row: PaymentRow): Promise<GivenUp> {
  const { kind, subjectId } = row;
  if (!isOutgoing(kind)) throw new RangeError(`payment ${row.id} is not a transfer out`);
  const isGivenUp = await withTransaction(deps.db, async (tx) => {
    if (!(await deleteUnspent(tx, row))) return false;
    if (!(await deps.payments.payoutHandlers[kind].refused(tx, subjectId, deps.clock.now())))
      throw new Error(`payout ${subjectId} is not being sent`);
    return true;
  });
  if (!isGivenUp) return { outcome: 'unknown', reason: 'decided_elsewhere' };
  deps.log.warn({ payoutId: subjectId, alert: 'payout_held' }, 'USDC refuses the recipient of a signed payout');
  return { outcome: 'failed', reason: REFUSED_PAYEE, txHash: '' };
}
