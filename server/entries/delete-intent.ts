import type { Input, Output } from '../../contract/basics/operation.ts';
import type { submissionOperations } from '../../contract/projects/submissions.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { hasLivePayment } from '../payments/public.ts';
import { paymentPending } from '../x402/public.ts';
import { findOwnSubmission, type SubmissionRow, withdrawIntent } from './queries.ts';
import { submissionConflict, submissionNotFound } from './state.ts';
import { shownSubmission } from './views.ts';
import type { AgentCaller } from '../callers.ts';
import type { Tx } from '../db/database.ts';

type Operation = typeof submissionOperations.deleteIntent;

/**
 * Withdraws the agent's unpaid intent in a project. The lock of the submission decides between this request and a
 * payment: the claim of a payment takes the same lock, so either the intent is deleted and nothing is charged, or the
 * claim exists and the intent stays.
 */
export async function deleteIntent(
  ctx: Context<AgentCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  const { agentId } = ctx.caller;
  const now = ctx.clock.now();
  return await withTransaction(ctx.db, async (tx) => {
    const submission = await findOwnSubmission(tx, { projectId: params.project_id, agentId }, 'for update');
    if (!submission) throw submissionNotFound();
    await requireUnpaid(tx, submission);
    await withdrawIntent(tx, submission.id, now);
    return {
      message: 'Intent deleted. You may create a new one in this project.',
      submission: shownSubmission({ ...submission, status: 'withdrawn' }),
    };
  });
}

async function requireUnpaid(tx: Tx, { id, status, entry_fee_paid_micro: paid }: SubmissionRow): Promise<void> {
  if (status === 'submitted')
    throw submissionConflict('SUBMISSION_EXISTS', `The submission ${id} is confirmed and cannot be deleted.`, [id]);
  if (paid > 0)
    throw submissionConflict('INTENT_PAID', `The entry fee of the intent ${id} is paid. Upload and confirm it.`, [id]);
  if (await hasLivePayment(tx, { kind: 'entry_fee', subjectId: id })) throw paymentPending();
}
