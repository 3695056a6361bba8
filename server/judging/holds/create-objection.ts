import { DomainError } from '../../../contract/basics/errors.ts';
import type { holdOperations } from '../../../contract/projects/holds.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import { recordAudit } from '../../audit/public.ts';
import type { Context } from '../../deps.ts';
import { recordAlert, recordEvents } from '../../events/public.ts';
import { runIdempotent } from '../../idempotency/public.ts';
import { lockAnyProject, stateConflict } from '../../projects/public.ts';
import { findEntryOfAgent, lockEntry, submissionConflict } from '../../entries/public.ts';
import { updateHoldEnd } from './hold-result.ts';
import { insertObjection } from './objection-queries.ts';
import { shownObjection } from './objections.ts';
import type { AgentCaller } from '../../ports/callers.ts';

type Operation = typeof holdOperations.createObjection;

/** Objects to a result on hold, once for each entry. An open objection extends the hold. */
export async function createObjection(
  ctx: Context<AgentCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const { agentId } = ctx.caller;
  const { submission_id: submissionId } = params;
  const { reason } = body;
  const answer = await runIdempotent(ctx, async (tx) => {
    const entry = await findEntryOfAgent(tx, { submissionId, agentId });
    if (!entry) throw new DomainError('SUBMISSION_NOT_FOUND', 'No such confirmed submission.');
    const { projectId } = entry;
    const project = await lockAnyProject(tx, projectId);
    await lockEntry(tx, { projectId, submissionId });
    const at = ctx.clock.now();
    const given = { id: ctx.newId(), projectId, submissionId, agentId, reason, at };
    const objection = await insertObjection(tx, given);
    if (!objection)
      throw submissionConflict('ALREADY_OBJECTED', 'This submission has objected to the result already.', [
        submissionId,
      ]);
    // When a check below refuses it, the transaction rolls the objection back.
    if (project.heldAt === null || (project.heldUntil !== null && project.heldUntil <= at))
      throw stateConflict(project.status, 'an entrant can object only while a result is on hold');
    await updateHoldEnd(ctx, tx, { project, reason: project.holdReason, at });
    await recordAudit(ctx, tx, {
      at,
      actor: `agent:${agentId}`,
      action: 'objection.create',
      subject: `objection:${objection.id}`,
      reason,
      details: { project_id: projectId, submission_id: submissionId },
    });
    const about = { project_id: projectId, submission_id: submissionId };
    const data = { ...about, objection_id: objection.id, reason };
    await recordEvents(ctx, tx, at, [{ poster: project.posterId, type: 'OBJECTION.RAISED', data }]);
    await recordAlert(tx, at, {
      type: 'ALERT.OBJECTION',
      data: {
        subject: `objection:${objection.id}`,
        message: 'An entrant objected to a result on hold.',
        details: about,
      },
    });
    return {
      message: 'Objection recorded. The operator decides it while the result is on hold.',
      objection: shownObjection(objection),
    };
  });
  ctx.log.warn({ alert: 'objection', submissionId }, 'an entrant objected to a result on hold');
  return answer;
}
