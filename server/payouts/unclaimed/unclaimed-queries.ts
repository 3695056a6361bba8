import { isNoPayee, linkedWallet } from '../../agents/public.ts';
import type { Db, Tx } from '../../db/database.ts';

export type Unclaimed = { id: string; submissionId: string; projectId: string; kind: 'prize' | 'share' };

/**
 * Returns prizes and shares that have waited for a wallet since before `before`, by id, starting after `after`. An agent with
 * a linked wallet has claimed its award, and is about to get it. Index payouts_waiting, which few rows are in.
 */
export async function listUnclaimed(
  db: Db,
  { before, after, limit }: { before: Date; after: string | null; limit: number },
): Promise<Unclaimed[]> {
  return await db<Unclaimed[]>`
    select id, submission_id as "submissionId", project_id as "projectId", kind from payouts
    where state = 'waiting' and created_at < ${before}
      and not exists (${linkedWallet(db, db`payouts.agent_id`)}) ${after === null ? db`` : db`and id > ${after}`}
    order by id limit ${limit}`;
}

/**
 * Gives a payout its recipient, which is final. Returns false if it does not wait any more for an award of this
 * submission, or if this wallet may not get the award of its agent.
 */
export async function giveRecipient(
  tx: Tx,
  { id, submissionId, recipient, now }: Pick<Unclaimed, 'id' | 'submissionId'> & { recipient: string; now: Date },
): Promise<boolean> {
  const { count } = await tx`
    update payouts set recipient = ${recipient}, state = 'ready', note = null, due_at = ${now}
    where id = ${id} and submission_id = ${submissionId} and state = 'waiting'
      and not exists (${isNoPayee(tx, tx`payouts.agent_id`, recipient)})`;
  return count > 0;
}
