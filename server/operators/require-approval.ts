import { DomainError } from '../../contract/basics/errors.ts';
import { recordAudit } from '../audit/public.ts';
import type { Context } from '../deps.ts';
import type { OperatorCaller } from '../ports/callers.ts';
import type { Tx } from '../ports/database.ts';
import type { GivenApproval } from '../ports/operators.ts';
import { type ApprovalRow, decide } from './approval-queries.ts';

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
 * Lets an act pass that moves at most APPROVAL_USDC, or one that another operator has approved. The verb calls it in the
 * transaction of the act, once it knows the amount: the approval is used up if, and only if, the act commits.
 *
 * @throws ApprovalNeeded
 * @throws DomainError APPROVAL_DECIDED, or PROJECT_STATE_CONFLICT if the act has grown since it was requested
 */
export async function requireApproval(ctx: Context<OperatorCaller>, tx: Tx, act: MoneyAct): Promise<void> {
  const { approvalMicro } = ctx.config;
  if (ctx.approval) {
    const approved = await approve(ctx, tx, ctx.approval);
    ctx.approval.used = true;
    if (act.amountMicro > approved.amountMicro)
      throw new DomainError('PROJECT_STATE_CONFLICT', 'This would now move more than was requested. Request it again.');
  } else if (approvalMicro !== null && act.amountMicro > approvalMicro) {
    throw new ApprovalNeeded(act);
  }
}

/** @throws DomainError APPROVAL_DECIDED */
export async function approve(
  ctx: Pick<Context, 'clock' | 'newId'>,
  tx: Tx,
  { id, by }: GivenApproval,
): Promise<ApprovalRow> {
  const at = ctx.clock.now();
  const approved = await decide(tx, { id, state: 'approved', by, reason: null, now: at });
  if (!approved) throw alreadyDecided();
  const { operation, amountMicro, requestedBy } = approved;
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
