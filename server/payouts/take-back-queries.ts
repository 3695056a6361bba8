import { payoutColumns, type PayoutRow } from './queries.ts';
import type { Tx } from '../ports/database.ts';

/** Returns false if the payout is not ready any more. */
export async function markRefused(tx: Tx, id: string, { note, now }: { note: string; now: Date }): Promise<boolean> {
  const { count } = await tx`
    update payouts set state = 'refused', note = ${note}, updated_at = ${now} where id = ${id} and state = 'ready'`;
  return count === 1;
}

/** Locks the prize of a project. Index payouts_project. */
export async function lockPrizeOf(tx: Tx, projectId: string): Promise<PayoutRow | null> {
  const [row] = await tx<PayoutRow[]>`
    select ${payoutColumns(tx)} from payouts where project_id = ${projectId} and kind = 'prize' for update`;
  return row ?? null;
}

/**
 * Deletes a payout that was never claimed for sending, so that nothing was signed for its reference. A later award of its
 * project uses the reference again. The caller holds its lock.
 */
export async function deleteUnsent(tx: Tx, id: string): Promise<boolean> {
  const { count } = await tx`delete from payouts where id = ${id} and state in ('waiting', 'held', 'ready', 'refused')`;
  return count === 1;
}
