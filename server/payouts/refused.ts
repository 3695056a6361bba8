import { withTransaction } from '../db/public.ts';
import type { PaymentDeps } from '../payments/public.ts';
import type { PayoutRow } from './queries.ts';

/**
 * Returns the payouts whose recipients the token accepts, and marks the others as refused, with an alert. Nothing is signed for
 * them, so they make no batch fail and no other payee wait.
 *
 * @throws ChainUnavailable
 */
export async function leaveOutRefused(deps: PaymentDeps, due: PayoutRow[]): Promise<PayoutRow[]> {
  const { chain, clock, db, log } = deps;
  const recipients = [...new Set(due.flatMap(({ recipient }) => recipient ?? []))];
  if (recipients.length === 0) return due;
  const refused = await chain.refusedOf?.(recipients);
  if (!refused || refused.size === 0) return due;
  const isRefused = ({ recipient }: PayoutRow) => recipient !== null && refused.has(recipient);
  for (const { id } of due.filter(isRefused)) {
    const marked = await withTransaction(db, (tx) => deps.payments.payoutHandlers.payout.refused(tx, id, clock.now()));
    if (marked) log.warn({ payoutId: id, alert: 'payout_held' }, 'USDC refuses the recipient of a payout');
  }
  return due.filter((payout) => !isRefused(payout));
}
