import type { moneyOutOperations } from '../../contract/operator/money-out.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { Context } from '../deps.ts';
import { decodeCursor, pageOf } from '../paging.ts';
import { listPaymentRows, type PaymentRow } from './queries.ts';
import type { OperatorCaller } from '../ports/callers.ts';

type Operation = typeof moneyOutOperations.listPayments;

/** Lists payments in and out, newest first. */
export async function listPayments(
  ctx: Context<OperatorCaller>,
  { query }: Input<Operation>,
): Promise<Output<Operation>> {
  const { state: states, kind: kinds, limit, cursor } = query;
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const rows = await listPaymentRows(ctx.db, { states, kinds, after, limit: limit + 1 });
  const page = pageOf(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
  return { payments: page.rows.map(shownPayment), has_more: page.hasMore, next_cursor: page.nextCursor };
}

/** A payment as the operator sees it: without the signed payload. */
export function shownPayment(row: PaymentRow): Output<Operation>['payments'][number] {
  return {
    id: row.id,
    kind: row.kind,
    subject_id: row.subjectId,
    network: row.network,
    asset: row.asset,
    payer: row.payer,
    pay_to: row.payTo,
    amount_micro: row.amountMicro,
    auth_nonce: row.authNonce,
    state: row.state,
    late: row.late,
    error: row.error,
    tx_hash: row.txHash,
    created_at: row.createdAt,
    settled_at: row.settledAt,
  };
}
