import { recordAudit } from '../audit/public.ts';
import type { Deps } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { bookTransfer, claimPaidOut, type AuthorizedTransfer, type PaymentDeps } from '../payments/public.ts';
import type { Queryable, Tx } from '../db/database.ts';
import { lockCaps } from './cap-queries.ts';
import { carryAlong, findCredited, lockCredited } from './state-queries.ts';
import { correctPayee, listUnsettled, lockPayout, type PayoutRow } from './queries.ts';
import { payoutNonce } from './references.ts';

/** Finds unsettled payouts by the nonce of their authorization. Index payouts_unsettled. */
export async function unsettledByNonce(db: Queryable): Promise<Map<string, PayoutRow>> {
  return new Map((await listUnsettled(db)).map((payout) => [payoutNonce(payout.reference), payout]));
}

/**
 * Books a transfer that the chain shows as the payout whose nonce it used, in any state of the payout. Moves no money, so
 * it also runs while payouts are stopped. The wallet that the chain shows becomes the recipient.
 *
 * Returns false if the payout is settled by now, or if the amounts differ. After a crash between the claim and the
 * booking, the sweeper books the payment.
 */
export async function bookAsPayout(
  deps: PaymentDeps & Pick<Deps, 'network'>,
  payoutId: string,
  transfer: AuthorizedTransfer,
): Promise<boolean> {
  const claimed = await withTransaction(deps.db, async (tx) => {
    // No sender claims a payout meanwhile.
    await lockCaps(tx);
    const payout = await lockPayout(tx, payoutId);
    if (!payout || payout.state === 'settled') return null;
    const carried = await carriedBy(tx, payout, transfer);
    if (carried === null) return null;
    const kind = payout.kind === 'refund' || payout.kind === 'return' ? 'refund' : 'payout';
    const row = await claimPaidOut(deps, tx, { kind, subjectId: payoutId, transfer });
    if (row === null || row.amountMicro !== transfer.amountMicro) throw new Unfit();
    const now = deps.clock.now();
    await correctPayee(tx, payoutId, { recipient: transfer.to, now });
    if (payout.state !== 'sending') await carryAlong(tx, payoutId, carried, now);
    await recordAudit(deps, tx, {
      at: now,
      actor: 'service',
      action: 'payout.recover',
      subject: `payout:${payoutId}`,
      details: { amount_micro: transfer.amountMicro, recipient: transfer.to, tx_hash: transfer.txHash },
    });
    return row;
  }).catch((error: unknown) => {
    if (error instanceof Unfit) return null;
    throw error;
  });
  if (claimed === null) return false;
  await bookTransfer(deps, claimed, transfer);
  return true;
}

/** Rolls back a booking that does not fit the payment of the payout. */
class Unfit extends Error {}

/**
 * Returns the credited amounts that the transfer took along: the oldest ones that make up the difference. Null if none
 * do. A payout that is being sent has its amounts already.
 */
async function carriedBy(tx: Tx, payout: PayoutRow, transfer: AuthorizedTransfer): Promise<string[] | null> {
  if (payout.state === 'sending') return [];
  const ids: string[] = [];
  let missing = transfer.amountMicro - payout.amountMicro;
  if (missing === 0) return ids;
  for (const { id, amountMicro } of await findCredited(tx, transfer.to)) {
    if (missing <= 0) break;
    if (id === payout.id) continue;
    ids.push(id);
    missing -= amountMicro;
  }
  return missing === 0 && (await lockCredited(tx, ids)) ? ids : null;
}
