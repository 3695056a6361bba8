import { liveSubjects } from '../payments/public.ts';
import { hasConfirmedEntry, submissionIdsOf } from '../entries/public.ts';
import type { Tx } from '../ports/database.ts';

/**
 * Returns whether somebody has paid to enter the project, is paying, or has a confirmed entry. The claim of a payment
 * locks the project too, so a payment that this check does not see cannot be claimed later in the transaction.
 */
export async function isEntered(tx: Tx, projectId: string): Promise<boolean> {
  const paid = await liveSubjects(tx, 'entry_fee', await submissionIdsOf(tx, projectId));
  return paid.length > 0 || (await hasConfirmedEntry(tx, projectId));
}
