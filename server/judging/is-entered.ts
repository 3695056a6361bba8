import { liveSubjects } from '../payments/public.ts';
import { inspectionsWait } from '../entries/confirmation/public.ts';
import { hasConfirmedEntry, submissionIdsOf } from '../entries/public.ts';
import type { Tx } from '../ports/database.ts';

/**
 * Returns whether somebody has paid to enter the project, is paying, has a confirmed entry, or has requested a
 * confirmation. The claim of a payment and the request of a confirmation lock the project too, so none that this check
 * does not see can come later in the transaction.
 */
export async function isEntered(tx: Tx, projectId: string, at: Date): Promise<boolean> {
  const paid = await liveSubjects(tx, 'entry_fee', await submissionIdsOf(tx, projectId));
  return paid.length > 0 || (await hasConfirmedEntry(tx, projectId)) || (await inspectionsWait(tx, projectId, at));
}
