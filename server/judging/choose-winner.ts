import type { judgingOperations } from '../../contract/projects/judging.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { lockOwnProject, readProject, forgetSearches, stateConflict } from '../projects/public.ts';
import { lockEntry } from '../entries/public.ts';
import { award } from './ends/public.ts';
import { requireNoResultOnHold } from './require-undecided.ts';
import type { PosterCaller } from '../ports/callers.ts';
import type { Tx } from '../ports/database.ts';

type Operation = typeof judgingOperations.chooseWinner;

/**
 * Awards the prize to one entry; the choice is final. The same choice again succeeds, because the first response may
 * have been lost.
 */
export async function chooseWinner(
  ctx: Context<PosterCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const projectId = params.project_id;
  await withTransaction(ctx.db, (tx) => choose(ctx, tx, { projectId, submissionId: body.submission_id }));
  forgetSearches(ctx.db);
  return {
    message: 'Winner chosen. The project is completed when the prize has settled on chain.',
    project: await readProject(ctx, projectId),
  };
}

async function choose(
  ctx: Context<PosterCaller>,
  tx: Tx,
  { projectId, submissionId }: { projectId: string; submissionId: string },
): Promise<void> {
  const { posterId } = ctx.caller;
  const project = await lockOwnProject(tx, { projectId, posterId });
  const entry = await lockEntry(tx, { projectId, submissionId });
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
    actor: `poster:${posterId}`,
    at: ctx.clock.now(),
  });
}
