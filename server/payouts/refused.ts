import { recordAudit } from '../audit/public.ts';
import { withTransaction } from '../db/public.ts';
import type { Deps } from '../deps.ts';
import { recordAlert } from '../events/public.ts';
import type { PayoutRow } from './queries.ts';
import { markRefused } from './state-queries.ts';

/** The note of a payout whose recipient is on the blocklist of the token. */
const REFUSED = 'USDC refuses transfers to this wallet; an operator can retry it, or reopen the award';

export type RefusedDeps = Pick<Deps, 'chain' | 'clock' | 'db' | 'log' | 'newId'>;

/**
 * Returns the payouts whose recipients the token accepts, and marks the others as refused, with an alert. Nothing is signed for
 * them, so they make no batch fail and no other payee wait.
 *
 * @throws ChainUnavailable
 */
export async function leaveOutRefused(deps: RefusedDeps, due: PayoutRow[]): Promise<PayoutRow[]> {
  const { chain, clock, db, log } = deps;
  const recipients = [...new Set(due.flatMap(({ recipient }) => recipient ?? []))];
  if (recipients.length === 0) return due;
  const refused = await chain.refusedOf?.(recipients);
  if (!refused || refused.size === 0) return due;
  const isRefused = ({ recipient }: PayoutRow) => recipient !== null && refused.has(recipient);
  for (const { id, amountMicro, recipient } of due.filter(isRefused)) {
    const at = clock.now();
    const marked = await withTransaction(db, async (tx) => {
      if (!(await markRefused(tx, id, { note: REFUSED, now: at }))) return false;
      const subject = `payout:${id}` as const;
      const details = { amount_micro: amountMicro, recipient };
      await recordAudit(deps, tx, { at, actor: 'service', action: 'payout.hold', subject, reason: REFUSED, details });
      await recordAlert(tx, at, { type: 'ALERT.PAYOUT_HELD', data: { subject, message: REFUSED, details } });
      return true;
    });
    if (marked) log.warn({ payoutId: id, alert: 'payout_held', reason: REFUSED }, 'a payout is refused');
  }
  return due.filter((payout) => !isRefused(payout));
}
