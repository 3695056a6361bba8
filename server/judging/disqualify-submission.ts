import type { Input, Output } from '../../contract/basics/operation.ts';
import type { operatorOperations } from '../../contract/operator/operator.ts';
import { recordAudit } from '../audit/public.ts';
import type { Context } from '../deps.ts';
import { recordEvents } from '../events/public.ts';
import { lockProject, stateConflict } from '../projects/public.ts';
import { hasEligibleEntry, lockEntry, recordDisqualification } from '../entries/public.ts';
import { requireUndecided } from './require-undecided.ts';
import { decideAgain } from './ends/hold-result.ts';
import { withDecision } from './ends/decide.ts';
import type { OperatorCaller } from '../callers.ts';
import type { Tx } from '../db/database.ts';

type Operation = typeof operatorOperations.disqualifySubmission;

/**
 * Excludes an entry from the competition. Its fee is not refunded: otherwise breaking the rules would cost nothing. A
 * result on hold is decided again.
 */
export async function disqualifySubmission(
  ctx: Context<OperatorCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const { project_id: projectId, submission_id: submissionId } = params;
  const entry = await withDecision(ctx, (tx) => disqualify(ctx, tx, { projectId, submissionId, ...body }));
  return { message: 'Entry disqualified.', submission: { id: submissionId, project_id: projectId, ...entry } };
}

async function disqualify(
  ctx: Context<OperatorCaller>,
  tx: Tx,
  { projectId, submissionId, reason }: { projectId: string; submissionId: string; reason: string },
) {
  const project = await lockProject(tx, { projectId });
  const entry = await lockEntry(tx, { projectId, submissionId });
  const { agentId: agent_id, disqualifiedAt, disqualifyReason } = entry;
  if (disqualifiedAt && disqualifyReason !== null) {
    return { agent_id, disqualified_at: disqualifiedAt, disqualify_reason: disqualifyReason };
  }
  requireUndecided(project, 'entries can be disqualified only while the project is open or in judging');
  if (project.status === 'judging' && !(await hasEligibleEntry(tx, projectId, submissionId)))
    throw stateConflict(project.status, 'its last entry cannot be disqualified; cancel the project instead');
  const at = ctx.clock.now();
  await recordDisqualification(tx, submissionId, { reason, at });
  await recordAudit(ctx, tx, {
    at,
    actor: 'operator',
    action: 'submission.disqualify',
    subject: `submission:${submissionId}`,
    reason,
    details: { project_id: projectId },
  });
  const data = { project_id: projectId, submission_id: submissionId, reason };
  await recordEvents(ctx, tx, at, [{ agent: agent_id, type: 'SUBMISSION.DISQUALIFIED', data }]);
  if (project.heldAt !== null) await decideAgain(ctx, tx, { project, actor: 'operator', at });
  return { agent_id, disqualified_at: at, disqualify_reason: reason };
}
