import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { submissionOperations } from '../../../contract/projects/submissions.ts';
import type { Context } from '../../deps.ts';
import { decodeCursor, pageOf } from '../../paging.ts';
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
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor);
  const found = await listSubmissionRows(ctx.reads, { agentId: ctx.caller.agentId, status, after, limit: limit + 1 });
  const { rows, hasMore, nextCursor } = pageOf(found, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
  const submissions = await ownSubmissions(ctx, rows);
  return {
    submissions,
    pagination: { limit, total_returned: submissions.length, has_more: hasMore, next_cursor: nextCursor },
  };
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
