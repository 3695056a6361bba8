import { DomainError } from '../../contract/basics/errors.ts';
import { holdsScope } from '../../contract/basics/operator-scope.ts';
import { recordAudit } from '../audit/public.ts';
import type { Context } from '../deps.ts';
import type { OperatorCaller } from '../ports/callers.ts';
import type { Tx } from '../ports/database.ts';
import type { GivenApproval } from '../ports/operators.ts';
import { type ApprovalRow, decideApproval } from './approval-queries.ts';
import { lockActive, type OperatorRow } from './queries.ts';

/** An act that moves money: how much, and about what. */
export type MoneyAct = { amountMicro: number; subject: string };

/** The act needs a second operator. The edge turns it into a pending request. */
export class ApprovalNeeded extends Error {
  readonly act: MoneyAct;

  constructor(act: MoneyAct) {
    super('this act needs the approval of another operator');
    this.name = 'ApprovalNeeded';
    this.act = act;
  }
}

/**
 * Lets an act pass that moves at most APPROVAL_USDC, or one that another operator has approved. The verb calls it in
 * the transaction of the act, once it knows the amount: the approval is used up if, and only if, the act commits.
 * `countedMicro` is what counts against APPROVAL_USDC, where earlier acts count too.
 *
 * @throws ApprovalNeeded
 * @throws DomainError APPROVAL_DECIDED, APPROVAL_FORBIDDEN, or PROJECT_STATE_CONFLICT if the act has grown since it was
 * requested
 */
export async function requireApproval(
  ctx: Context<OperatorCaller>,
  tx: Tx,
  act: MoneyAct,
  countedMicro = act.amountMicro,
): Promise<void> {
  const { approvalMicro } = ctx.config;
  if (ctx.approval) {
    const approved = await approve(ctx, tx, ctx.approval);
    ctx.approval.used = true;
    if (act.amountMicro > approved.amountMicro)
      throw new DomainError('PROJECT_STATE_CONFLICT', 'This would now move more than was requested. Request it again.');
  } else if (approvalMicro !== null && countedMicro > approvalMicro) {
    throw new ApprovalNeeded(act);
  }
}

/**
 * Uses an approval up. Both keys must still be valid, and neither is revoked before the act commits: nothing moves by a
 * request or an approval of an operator whose revocation was answered.
 *
 * @throws DomainError APPROVAL_DECIDED or APPROVAL_FORBIDDEN
 */
export async function approve(
  ctx: Pick<Context, 'clock' | 'newId'>,
  tx: Tx,
  { id, by }: GivenApproval,
): Promise<ApprovalRow> {
  const at = ctx.clock.now();
  const approved = await decideApproval(tx, { id, state: 'approved', by, reason: null, now: at });
  if (!approved) throw alreadyDecided();
  const { operation, amountMicro, requestedBy } = approved;
  const active = await lockActive(tx, [nameOf(by), nameOf(requestedBy)], at);
  if (!active.some(({ name }) => name === nameOf(by))) throw forbidden('Your key was revoked meanwhile.');
  if (requestedBy !== 'operator')
    requireMoney(active.find(({ name }) => name === nameOf(requestedBy)) ?? null, approved);
  // The act's own records name the operator who requested it.
  await recordAudit({ newId: ctx.newId }, tx, {
    at,
    actor: by,
    action: 'approval.approve',
    subject: `approval:${id}`,
    details: { operation, amount_micro: amountMicro, requested_by: requestedBy },
  });
  return approved;
}

export function alreadyDecided(): DomainError {
  return new DomainError('APPROVAL_DECIDED', 'This request was decided before, or it has expired.');
}

/** @throws DomainError APPROVAL_FORBIDDEN unless the operator who requested the act still has that key, with `money` */
export function requireMoney(row: OperatorRow | null, { requestedAt }: ApprovalRow): OperatorRow {
  if (row && row.createdAt <= requestedAt && holdsScope(row.scopes, 'money')) return row;
  throw forbidden('The operator who requested this may no longer move money. Reject the request.');
}

/** The audit trail names an operator `operator:<name>`. */
export function nameOf(actor: string): string {
  return actor.slice('operator:'.length);
}

export function forbidden(message: string): DomainError {
  return new DomainError('APPROVAL_FORBIDDEN', message);
}
