import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { submissionOperations } from '../../../contract/projects/submissions.ts';
import type { Context } from '../../deps.ts';
import { readPage } from '../../paging.ts';
import type { AgentCaller } from '../../callers.ts';
import { listSubmissionRows, findSubmissionRow } from './submission-queries.ts';
import { ownSubmissions } from './submission-view.ts';
import { submissionNotFound } from '../state.ts';

type Operation = typeof submissionOperations.listSubmissions;

/** Returns a page of the agent's submissions in every state, newest first. */
export async function listSubmissions(
  ctx: Context<AgentCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { status, limit } = query;
  const { rows, end } = await readPage(
    query,
    (page) => listSubmissionRows(ctx.reads, { agentId: ctx.caller.agentId, status, ...page }),
    ({ createdAt, id }) => ({ at: createdAt, id }),
  );
  const submissions = await ownSubmissions(ctx, rows);
  return { submissions, pagination: { limit, total_returned: submissions.length, ...end } };
}

/** Returns one of the agent's submissions. @throws DomainError SUBMISSION_NOT_FOUND, also for another agent's */
export async function getSubmission(
  ctx: Context<AgentCaller>,
  { params }: Input<typeof submissionOperations.getSubmission>,
): Promise<Output<typeof submissionOperations.getSubmission>> {
  const { submission_id: submissionId } = params;
  const row = await findSubmissionRow(ctx.reads, { submissionId, agentId: ctx.caller.agentId });
  const [submission] = await ownSubmissions(ctx, row ? [row] : []);
  if (!submission) throw submissionNotFound();
  return { submission };
}
