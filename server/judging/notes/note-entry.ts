import type { judgingOperations } from '../../../contract/projects/judging.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { lockEntry } from '../../entries/public.ts';
import { requireProject } from '../../projects/public.ts';
import { upsertNote } from './note-queries.ts';
import type { PosterCaller } from '../../callers.ts';
import { snakeCased } from '../../snake-case.ts';

type Operation = typeof judgingOperations.noteEntry;

/**
 * Writes the poster's note on an entry: a mark, a draft of feedback, or both. A note changes nothing for anybody else, so
 * it works in every state of the project. The entry's lock puts a draft before or after a review, and the project stays
 * free for payments.
 */
export async function noteEntry(
  ctx: Context<PosterCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const { project_id: projectId, submission_id: submissionId } = params;
  const change = { mark: body.mark, feedbackDraft: body.feedback_draft, at: ctx.clock.now() };
  const note = await withTransaction(ctx.db, async (tx) => {
    await requireProject(tx, { projectId, posterId: ctx.caller.posterId });
    await lockEntry(tx, { projectId, submissionId });
    return await upsertNote(tx, submissionId, change);
  });
  return { message: 'Note saved.', note: { project_id: projectId, ...snakeCased(note) } };
}
