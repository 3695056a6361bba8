import type { judgingOperations } from '../../contract/projects/judging.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { lockOwnProject, stateConflict } from '../projects/public.ts';
import { lockEntry, recordReview } from '../entries/public.ts';
import { forgetDraft } from './notes/public.ts';
import { requireNoResultOnHold, requireUndecided } from './require-undecided.ts';
import type { PosterCaller } from '../ports/callers.ts';

type Operation = typeof judgingOperations.reviewSubmission;

/**
 * Saves the poster's score and feedback for an entry. It replaces a score of the AI judge, and can change until the
 * award. Its feedback replaces the draft of it.
 */
export async function reviewSubmission(
  ctx: Context<PosterCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const { project_id: projectId, submission_id: submissionId } = params;
  const at = ctx.clock.now();
  await withTransaction(ctx.db, async (tx) => {
    const project = await lockOwnProject(tx, { projectId, posterId: ctx.caller.posterId });
    const entry = await lockEntry(tx, { projectId, submissionId });
    requireUndecided(project, 'entries can be reviewed only while the project is open or in judging');
    requireNoResultOnHold(project);
    if (entry.disqualifiedAt) throw stateConflict(project.status, 'this entry was disqualified by the operator');
    await recordReview(tx, submissionId, { ...body, at });
    await forgetDraft(tx, submissionId, body.feedback);
  });
  return {
    message: 'Review saved.',
    review: { project_id: projectId, submission_id: submissionId, ...body, scored_at: at },
  };
}
