import { DomainError } from '../../../contract/basics/errors.ts';
import type { holdOperations } from '../../../contract/projects/holds.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import { recordAudit } from '../../audit/public.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { lockAnyProject } from '../../projects/public.ts';
import { updateHoldEnd } from './hold-result.ts';
import { findObjection, type ObjectionRow, updateDecision } from './objection-queries.ts';
import { shownObjection } from './objections.ts';
import type { OperatorCaller } from '../../ports/callers.ts';
import type { Tx } from '../../ports/database.ts';

type Operation = typeof holdOperations.decideObjection;
type Decision = Input<Operation>['body'];

/**
 * Decides an objection. Once no objection is open, the hold ends as it would have without them. An upheld objection
 * holds the payout until the operator acts on it: by a disqualification and a release, an award, a share, or a
 * cancellation.
 */
export async function decideObjection(
  ctx: Context<OperatorCaller>,
  { params, body }: Input<Operation>,
): Promise<Output<Operation>> {
  const objection = await withTransaction(ctx.db, (tx) => decide(ctx, tx, params.objection_id, body));
  const message =
    objection.decision === 'upheld'
      ? 'Objection upheld. The payout is held until you release it, award or share the prize, or cancel the project.'
      : 'Objection dismissed.';
  return { message, objection: shownObjection(objection) };
}

async function decide(ctx: Context<OperatorCaller>, tx: Tx, id: string, body: Decision): Promise<ObjectionRow> {
  const found = await findObjection(tx, id);
  if (!found) throw noObjection();
  const project = await lockAnyProject(tx, found.projectId);
  const at = ctx.clock.now();
  const decided = await updateDecision(tx, id, { ...body, at });
  if (!decided) return requireSame(await findObjection(tx, id), body);
  // An open objection exists only while the result is on hold.
  const upheld = decided.decision === 'upheld' ? `Objection upheld: ${body.reason}` : null;
  await updateHoldEnd(ctx, tx, { project, reason: project.holdReason ?? upheld, at });
  await recordAudit(ctx, tx, {
    at,
    actor: 'operator',
    action: 'objection.decide',
    subject: `objection:${id}`,
    reason: body.reason,
    details: { decision: body.decision, project_id: found.projectId },
  });
  return decided;
}

/** The same decision again succeeds, because the first response may have been lost. */
function requireSame(row: ObjectionRow | null, { decision, reason }: Decision): ObjectionRow {
  if (row?.decision === decision && row.decisionReason === reason) return row;
  throw new DomainError('PROJECT_STATE_CONFLICT', `This objection is ${row?.decision ?? 'gone'} already.`);
}

function noObjection(): DomainError {
  return new DomainError('NOT_FOUND', 'No such objection.');
}
