import type { judgingOperations } from '../../contract/projects/judging.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { Context } from '../deps.ts';
import { lockProject, type ProjectRow, stateConflict } from '../projects/public.ts';
import { lockEntry, recordFeedback } from '../entries/public.ts';
import { award } from './ends/award.ts';
import { decideProject } from './ends/decide.ts';
import { takeDrafts } from './notes/note-queries.ts';
import { requireNoResultOnHold } from './require-undecided.ts';
import type { PosterCaller } from '../callers.ts';
import type { Tx } from '../db/database.ts';

type Operation = typeof judgingOperations.chooseWinner;

export const CHOSEN = 'Winner chosen. The project is completed when the prize has settled on chain.';

/**
 * Awards the prize to one entry; the choice is final. The same choice again succeeds, because the first answer may
 * have been lost.
 */
export async function chooseWinner(
  ctx: Context<PosterCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const projectId = params.project_id;
  const own = { projectId, posterId: ctx.caller.posterId };
  return await decideProject(ctx, projectId, async (tx) => {
    await chooseLocked(ctx, tx, await lockProject(tx, own), body.submission_id);
    if (body.send_drafts) await recordFeedback(tx, await takeDrafts(tx, projectId));
    return CHOSEN;
  });
}

/** Chooses the winner of a project whose lock the caller holds. */
export async function chooseLocked(
  ctx: Context<PosterCaller>,
  tx: Tx,
  project: ProjectRow,
  submissionId: string,
): Promise<void> {
  const entry = await lockEntry(tx, { projectId: project.id, submissionId });
  if (project.awardedAt !== null) {
    if (project.winnerSubmissionId === submissionId) return;
    throw stateConflict(project.status, 'its prize has been awarded, which is final');
  }
  if (project.status !== 'judging')
    throw stateConflict(project.status, 'a winner can be chosen only while the project is in judging');
  requireNoResultOnHold(project);
  if (entry.disqualifiedAt) throw stateConflict(project.status, 'this entry was disqualified by the operator');
  await award(ctx, tx, {
    project,
    decision: { selection: 'poster', winnerId: submissionId },
    actor: `poster:${ctx.caller.posterId}`,
    at: ctx.clock.now(),
  });
}
