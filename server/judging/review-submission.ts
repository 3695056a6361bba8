import type { judgingOperations } from '../../contract/projects/judging.ts';
import { validationError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { lockProject, stateConflict } from '../projects/public.ts';
import { lockEntry, recordFeedback, recordReview } from '../entries/public.ts';
import { forgetDraft } from './notes/note-queries.ts';
import { requireNoResultOnHold, requireUndecided } from './require-undecided.ts';
import type { PosterCaller } from '../callers.ts';

type Operation = typeof judgingOperations.reviewSubmission;

/**
 * Saves the poster's score and feedback for an entry. The score replaces one of the AI judge, and can change until the
 * award; feedback can come later. It replaces the draft of it. Without feedback, the one before stays, unless the AI
 * judge wrote it.
 */
export async function reviewSubmission(
  ctx: Context<PosterCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const { project_id: projectId, submission_id: submissionId } = params;
  const { score } = body;
  const at = ctx.clock.now();
  const scored = await withTransaction(ctx.db, async (tx) => {
    const project = await lockProject(tx, { projectId, posterId: ctx.caller.posterId });
    const entry = await lockEntry(tx, { projectId, submissionId });
    if (entry.disqualifiedAt) throw stateConflict(project.status, 'this entry was disqualified by the operator');
    const kept = score !== undefined && entry.scoreSource === 'ai' ? '' : (entry.feedback ?? '');
    const feedback = body.feedback ?? kept;
    await forgetDraft(tx, submissionId, body.feedback ?? '');
    if (score === undefined && project.awardedAt !== null) {
      await recordFeedback(tx, [{ submissionId, feedback }]);
      return { score: entry.score, feedback, scored_at: entry.scoredAt };
    }
    requireUndecided(project, 'entries can be reviewed only while the project is open or in judging');
    requireNoResultOnHold(project);
    if (score === undefined) throw validationError([{ field: 'score', message: 'is required until the award' }]);
    await recordReview(tx, submissionId, { score, feedback, at });
    return { score, feedback, scored_at: at };
  });
  return {
    message: 'Review saved.',
    review: { project_id: projectId, submission_id: submissionId, ...scored },
  };
}
