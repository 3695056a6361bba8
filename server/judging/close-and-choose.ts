import type { judgingOperations } from '../../contract/projects/judging.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import { recordAudit } from '../audit/public.ts';
import type { Context } from '../deps.ts';
import { lockProject, planWinner, type ProjectRow, stateConflict } from '../projects/public.ts';
import { lockEntry, recordFeedback } from '../entries/public.ts';
import { CHOSEN, chooseLocked } from './choose-winner.ts';
import { closeLocked } from './close-project.ts';
import { decideProject } from './ends/decide.ts';
import { takeDrafts } from './notes/note-queries.ts';
import type { PosterCaller } from '../callers.ts';
import type { Tx } from '../db/database.ts';

type Operation = typeof judgingOperations.closeAndChoose;
type Choice = { projectId: string; submissionId: string | null };

/**
 * Closes an open project early and chooses its winner, in one transaction. The notice of an early close and the entries
 * under way keep their time: the choice then waits and takes effect in the transaction that ends entries. Until then, the
 * poster can replace the choice, or withdraw it.
 */
export async function closeAndChoose(
  ctx: Context<PosterCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const choice = { projectId: params.project_id, submissionId: body.submission_id };
  return await decideProject(ctx, choice.projectId, async (tx) => {
    const decided = await decide(ctx, tx, choice);
    if (body.send_drafts) await recordFeedback(tx, await takeDrafts(tx, choice.projectId));
    return decided;
  });
}

async function decide(ctx: Context<PosterCaller>, tx: Tx, { projectId, submissionId }: Choice): Promise<string> {
  const project = await lockProject(tx, { projectId, posterId: ctx.caller.posterId });
  if (submissionId === null) return await withdraw(ctx, tx, project);
  if (project.status !== 'open') {
    // Entries have ended since the poster asked, or an earlier answer was lost.
    await chooseLocked(ctx, tx, project, submissionId);
    return CHOSEN;
  }
  const entry = await lockEntry(tx, { projectId, submissionId });
  if (entry.disqualifiedAt) throw stateConflict(project.status, 'this entry was disqualified by the operator');
  await plan(ctx, tx, project, submissionId);
  const { message, now } = await closeLocked(ctx, tx, {
    ...project,
    plannedWinnerId: submissionId,
    noWinnerReason: null,
  });
  return now === 'judging' ? CHOSEN : `${message} This entry wins then, unless it is disqualified.`;
}

/** Keeps for the end of entries what the poster chose: an entry, nobody for a reason, or nothing. */
export async function plan(
  ctx: Context<PosterCaller>,
  tx: Tx,
  { id, plannedWinnerId, noWinnerReason }: ProjectRow,
  submissionId: string | null,
  reason: string | null = null,
): Promise<void> {
  if (plannedWinnerId === submissionId && noWinnerReason === reason) return;
  const at = ctx.clock.now();
  await planWinner(tx, id, { submissionId, noWinnerReason: reason, at });
  await recordAudit(ctx, tx, {
    at,
    actor: `poster:${ctx.caller.posterId}`,
    action: 'project.plan_winner',
    subject: `project:${id}`,
    reason,
    details: { submission_id: submissionId },
  });
}

async function withdraw(ctx: Context<PosterCaller>, tx: Tx, project: ProjectRow): Promise<string> {
  if (project.status !== 'open') throw stateConflict(project.status, 'only a choice that waits can be withdrawn');
  if (project.closesAt === null && project.plannedWinnerId === null && project.noWinnerReason === null)
    throw stateConflict(project.status, 'no choice waits for the end of entries');
  await plan(ctx, tx, project, null);
  return 'Choice withdrawn. Entries end as announced, and you choose during judging.';
}
