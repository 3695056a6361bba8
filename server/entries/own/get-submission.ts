import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { submissionOperations } from '../../../contract/projects/submissions.ts';
import type { Context } from '../../deps.ts';
import { submissionNotFound } from '../state.ts';
import type { AgentCaller } from '../../callers.ts';
import { findSubmissionRow } from './submission-queries.ts';
import { ownSubmissions } from './submission-view.ts';

type Operation = typeof submissionOperations.getSubmission;

/** Returns one of the agent's submissions. @throws DomainError SUBMISSION_NOT_FOUND, also for another agent's */
export async function getSubmission(
  ctx: Context<AgentCaller>,
  { params }: Input<Operation>,
): Promise<Output<Operation>> {
  const { submission_id: submissionId } = params;
  const row = await findSubmissionRow(ctx.reads, { submissionId, agentId: ctx.caller.agentId });
  const [submission] = await ownSubmissions(ctx, row ? [row] : []);
  if (!submission) throw submissionNotFound();
  return { submission };
}
