import { DomainError } from '../../contract/basics/errors.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { approvalOperations } from '../../contract/operator/approvals.ts';
import { actorOf, recordAudit } from '../audit/public.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import type { OperatorCaller } from '../ports/callers.ts';
import type { GivenApproval } from '../ports/operators.ts';
import { type ApprovalRow, decideApproval, findApproval } from './approval-queries.ts';
import { shownApproval } from './list-approvals.ts';
import { findActive } from './queries.ts';
import { alreadyDecided, approve, forbidden, nameOf, requireMoney } from './require-approval.ts';

type Ctx = Context<OperatorCaller>;

/**
 * Performs an act under the name of the operator who requested it. The approval and the act commit together, so of two
 * approvals at once, one performs it.
 */
export async function approveAct(
  ctx: Ctx,
  { params }: Input<typeof approvalOperations.approveAct>,
): Promise<Output<typeof approvalOperations.approveAct>> {
  const id = params.approval_id;
  const request = await pendingRequest(ctx, id);
  await requireSecondPerson(ctx, request);
  const act = ctx.operatorActs.get(request.operation);
  if (!act) throw new Error(`no act is called ${request.operation}`);
  const by = actorOf(ctx.caller);
  const { requestId, remoteAddress } = ctx;
  const caller = await requesterOf(ctx, request);
  const approval: GivenApproval = { id, by };
  const result = await act({ caller, approval, requestId, remoteAddress }, request.input);
  const now = ctx.clock.now();
  const approved = await withTransaction(ctx.db, async (tx) => {
    // Something else has had the effect of the act meanwhile, so the act had nothing to do. If that was another decision
    // about this request, this one comes second.
    if (!approval.used) await approve(ctx, tx, approval);
    return await findApproval(tx, id);
  });
  return { message: 'Approved and performed.', approval: shownApproval(approved ?? request, now), result };
}

export async function rejectAct(
  ctx: Ctx,
  { params, body }: Input<typeof approvalOperations.rejectAct>,
): Promise<Output<typeof approvalOperations.rejectAct>> {
  const id = params.approval_id;
  const { operation, requestedBy } = await pendingRequest(ctx, id);
  const { reason } = body;
  const now = ctx.clock.now();
  const rejected = await withTransaction(ctx.db, async (tx) => {
    const row = await decideApproval(tx, { id, state: 'rejected', by: actorOf(ctx.caller), reason, now });
    if (!row) throw alreadyDecided();
    const details = { operation, amount_micro: row.amountMicro, requested_by: requestedBy };
    const subject = `approval:${id}` as const;
    await recordAudit(ctx, tx, { at: now, actor: 'operator', action: 'approval.reject', subject, reason, details });
    return row;
  });
  return { message: 'Rejected. Nothing has moved.', approval: shownApproval(rejected, now) };
}

async function pendingRequest({ db, clock }: Ctx, id: string): Promise<ApprovalRow> {
  const request = await findApproval(db, id);
  if (!request) throw new DomainError('NOT_FOUND', 'No such request.');
  if (request.state !== 'pending' || request.expiresAt <= clock.now()) throw alreadyDecided();
  return request;
}

/**
 * OPERATOR_KEY may be in several hands, so it approves nothing. A new operator has to wait, or an admin could add one to
 * approve its own request before anybody sees the alert.
 */
async function requireSecondPerson({ caller, config, db, clock }: Ctx, { requestedBy }: ApprovalRow): Promise<void> {
  if (caller.name === null) throw forbidden('OPERATOR_KEY belongs to no person, so it cannot approve.');
  if (actorOf(caller) === requestedBy) throw forbidden('Another operator must approve your request.');
  const now = clock.now();
  const row = await findActive(db, caller.name, now);
  const since = row && row.createdAt.getTime() + config.operatorWaitMs;
  if (since === null || since > now.getTime())
    throw forbidden('You were added too recently to approve. OPERATOR_WAIT_HOURS says how long an operator waits.');
}

/** The operator who requested the act, if that key is still valid and holds `money`. */
async function requesterOf({ db, clock }: Ctx, request: ApprovalRow): Promise<OperatorCaller> {
  const { requestedBy } = request;
  if (requestedBy === 'operator')
    return { kind: 'operator', operatorId: null, name: null, scopes: ['read', 'support', 'money', 'admin'] };
  const row = requireMoney(await findActive(db, nameOf(requestedBy), clock.now()), request);
  return { kind: 'operator', operatorId: row.id, name: row.name, scopes: row.scopes };
}
