import { hash } from 'node:crypto';
import type { JSONValue } from 'postgres';
import type { OperationSpec } from '../../contract/basics/operation.ts';
import type { PendingApproval } from '../../contract/operator/approvals.ts';
import { actorOf, recordAudit } from '../audit/public.ts';
import type { Context } from '../deps.ts';
import { withTransaction } from '../db/public.ts';
import { recordAlert } from '../events/public.ts';
import type { ParsedInput } from '../serve.ts';
import { findApproval, findPending, insertApproval, lockRequests } from './approval-queries.ts';
import { shownApproval } from './list-approvals.ts';
import { ApprovalNeeded, type MoneyAct } from './require-approval.ts';

/** A request that nobody decided ends after two days. */
const EXPIRES_MS = 172_800_000;

/** The result of an act that waits for a second operator. */
export class AwaitsApproval {
  readonly data: PendingApproval;

  constructor(data: PendingApproval) {
    this.data = data;
  }
}

/**
 * Runs the verb of an operation. If the act needs a second operator, its transaction is rolled back, and the request is
 * stored. The same request again finds the pending one.
 */
export async function orAwaitApproval<T>(
  ctx: Context,
  spec: OperationSpec,
  { params, body }: ParsedInput,
  run: () => Promise<T>,
): Promise<T | { data: AwaitsApproval; receipt: null }> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ApprovalNeeded)) throw error;
    // JSON drops what the request left out.
    const input = JSON.parse(JSON.stringify({ params, body })) as Record<string, JSONValue>;
    const data = await requestApproval(ctx, { operation: spec.id, input, ...error.act });
    return { data: new AwaitsApproval(data), receipt: null };
  }
}

type Request = MoneyAct & { operation: string; input: Record<string, JSONValue> };

async function requestApproval(
  ctx: Context,
  { operation, input, amountMicro, subject }: Request,
): Promise<PendingApproval> {
  const now = ctx.clock.now();
  const requestedBy = actorOf(ctx.caller);
  const fingerprint = hash('sha256', JSON.stringify([operation, input]), 'buffer');
  const row = await withTransaction(ctx.db, async (tx) => {
    await lockRequests(tx, { requestedBy, fingerprint });
    const pending = await findPending(tx, { requestedBy, fingerprint, now });
    if (pending) return pending;
    const id = ctx.newId();
    const expiresAt = new Date(now.getTime() + EXPIRES_MS);
    const request = { id, operation, subject, input, amountMicro, requestedBy, requestedAt: now, expiresAt };
    await insertApproval(tx, { ...request, fingerprint });
    const details = { operation, subject, amount_micro: amountMicro };
    const approval = `approval:${id}` as const;
    await recordAudit(ctx, tx, { at: now, actor: 'operator', action: 'approval.request', subject: approval, details });
    const message = `${requestedBy} asks for the approval of ${operation}.`;
    await recordAlert(tx, now, { type: 'ALERT.APPROVAL_REQUESTED', data: { subject: approval, message, details } });
    return await findApproval(tx, id);
  });
  if (!row) throw new Error('the request of an approval was not inserted');
  return { message: 'Nothing has moved yet: another operator must approve.', approval: shownApproval(row, now) };
}
