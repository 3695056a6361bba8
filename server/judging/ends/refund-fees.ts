import type { Deps } from '../../deps.ts';
import { oweFeeRefunds } from '../../payouts/public.ts';
import { confirmedIdsOf, submissionIdsOf, unconfirmedIdsOf, unservedIdsOf } from '../../entries/public.ts';
import type { Tx } from '../../db/database.ts';

type Refund = { projectId: string; at: Date };

/** Owes the settled fees of all confirmed entries of a project back, also of disqualified ones. */
export async function refundConfirmedFees(deps: Pick<Deps, 'newId'>, tx: Tx, { projectId, at }: Refund): Promise<void> {
  await oweFeeRefunds(deps, tx, { projectId, submissionIds: await confirmedIdsOf(tx, projectId), at });
}

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
 * Owes the settled fees of submissions back that the service itself kept from being confirmed. A fee that settled after its
 * agent stopped waiting is among them: from the deadline on, no request gets an upload URL. Other fees of submissions that
 * were never confirmed stay: otherwise a place would cost nothing.
 */
export async function refundUnservedFees(deps: Pick<Deps, 'newId'>, tx: Tx, { projectId, at }: Refund): Promise<void> {
  await oweFeeRefunds(deps, tx, { projectId, submissionIds: await unservedIdsOf(tx, projectId), at });
}
