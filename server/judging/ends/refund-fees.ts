import type { Deps } from '../../deps.ts';
import { oweFeeRefunds } from '../../payouts/public.ts';
import { submissionIdsOf, type Which } from '../../entries/public.ts';
import type { Tx } from '../../db/database.ts';

/**
 * Owes the settled entry fees of these submissions back. A fee that is still settling goes back when it is booked, if the
 * project has stopped taking entries by then.
 */
export async function refundFees(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  which: Which,
  { projectId, at }: { projectId: string; at: Date },
): Promise<void> {
  await oweFeeRefunds(deps, tx, { projectId, submissionIds: await submissionIdsOf(tx, projectId, which), at });
}
