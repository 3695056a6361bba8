import type { NewEvent } from '../events/public.ts';
import { agentOf } from '../entries/public.ts';
import type { SettledPayout } from '../payouts/public.ts';
import type { Tx } from '../db/database.ts';

/** Returns what the agent and the poster are told of a payout that has left the project. */
export async function payoutEvents(tx: Tx, payout: SettledPayout): Promise<NewEvent[]> {
  const { id, kind, projectId, posterId, submissionId, agentId, amountMicro, recipient, txHash } = payout;
  if (projectId === null) return [];
  const transfer = {
    payout_id: id,
    project_id: projectId,
    amount_micro: amountMicro,
    recipient,
    tx_hash: txHash,
  };
  if (kind === 'refund' && submissionId !== null) {
    const agent = await agentOf(tx, submissionId);
    const data = { ...transfer, submission_id: submissionId };
    return agent === null ? [] : [{ agent, type: 'REFUND.SETTLED', data }];
  }
  if (kind === 'refund') return posterId === null ? [] : [{ poster: posterId, type: 'REFUND.SETTLED', data: transfer }];
  if (agentId === null || submissionId === null) return [];
  const data = { ...transfer, submission_id: submissionId };
  const told: NewEvent[] = [{ agent: agentId, type: 'PAYOUT.SETTLED', data }];
  if (posterId === null) return told;
  told.push({ poster: posterId, type: 'PRIZE.PAID', data: { ...data, shared: kind !== 'prize' } });
  // Only a prize buys the originals; a share does not.
  if (kind === 'prize')
    told.push({
      poster: posterId,
      type: 'DELIVERY.READY',
      data: { project_id: projectId, submission_id: submissionId },
    });
  return told;
}
