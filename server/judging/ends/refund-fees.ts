import type { Deps } from '../../deps.ts';
import { oweFeeRefunds } from '../../payouts/public.ts';
import { submissionIdsOf, unconfirmedIdsOf, withoutUploadIdsOf } from '../../entries/public.ts';
import type { Tx } from '../../ports/database.ts';

type Refund = { projectId: string; at: Date };

/** Owes every settled entry fee of a project back, also those of unconfirmed and disqualified submissions. */
export async function refundAllFees(deps: Pick<Deps, 'newId'>, tx: Tx, { projectId, at }: Refund): Promise<void> {
  await oweFeeRefunds(deps, tx, { projectId, submissionIds: await submissionIdsOf(tx, projectId), at });
}

/**
 * Owes the settled fees of submissions back that could not be confirmed, because somebody ended the project early. A fee
 * that is still settling goes back when it is booked, because the project has stopped taking entries.
 */
export async function refundUnconfirmedFees(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { projectId, at }: Refund,
): Promise<void> {
  await oweFeeRefunds(deps, tx, { projectId, submissionIds: await unconfirmedIdsOf(tx, projectId), at });
}

/**
 * Owes the settled fees of submissions back that never got an upload URL: their fee settled after the agent stopped waiting,
 * and from the deadline on, no request gets a URL.
 */
export async function refundFeesWithoutUpload(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { projectId, at }: Refund,
): Promise<void> {
  await oweFeeRefunds(deps, tx, { projectId, submissionIds: await withoutUploadIdsOf(tx, projectId), at });
}
