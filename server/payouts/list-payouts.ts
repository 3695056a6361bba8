import type { moneyOutOperations } from '../../contract/operator/money-out.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { Context } from '../deps.ts';
import { decodeCursor, pageOf } from '../paging.ts';
import { listPayoutRows, type PayoutRow } from './queries.ts';
import type { OperatorCaller } from '../ports/callers.ts';

type Operation = typeof moneyOutOperations.listPayouts;

/** Lists payouts of all states, newest first. */
export async function listPayouts(
  ctx: Context<OperatorCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { state, project_id: projectId, limit, cursor } = query;
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const rows = await listPayoutRows(ctx.db, { states: state, projectId, after, limit: limit + 1 });
  const page = pageOf(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
  return { payouts: page.rows.map(formatPayout), has_more: page.hasMore, next_cursor: page.nextCursor };
}

/** Builds the operator's response for one payout. */
export function formatPayout(row: PayoutRow): Output<Operation>['payouts'][number] {
  return {
    id: row.id,
    reference: row.reference,
    kind: row.kind,
    project_id: row.projectId,
    submission_id: row.submissionId,
    agent_id: row.agentId,
    payment_id: row.paymentId,
    amount_micro: row.amountMicro,
    recipient: row.recipient,
    state: row.state,
    held_until: row.heldUntil,
    note: row.note,
    attempts: row.attempts,
    created_at: row.createdAt,
    sent_at: row.sentAt,
    settled_at: row.settledAt,
    tx_hash: row.txHash,
  };
}
