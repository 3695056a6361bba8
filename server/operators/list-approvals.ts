import type { Input, Output } from '../../contract/basics/operation.ts';
import type { approvalOperations, PendingApproval } from '../../contract/operator/approvals.ts';
import { decodeCursor, pageOf, timesOfDays } from '../paging.ts';
import type { Queryable } from '../ports/database.ts';
import { type ApprovalRow, listApprovalRows } from './approval-queries.ts';

type Operation = typeof approvalOperations.listApprovals;
type Page = Omit<Output<Operation>, 'approvals'> & { approvals: PendingApproval['approval'][] };

/** Returns one page of requests, newest first. `db` may be read-only. */
export async function approvalPage(db: Queryable, query: Input<Operation>['query'], now: Date): Promise<Page> {
  const { state, limit, cursor } = query;
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const { min_usdc: minMicro, max_usdc: maxMicro } = query;
  const filter = { state, now, minMicro, maxMicro, ...timesOfDays(query) };
  const found = await listApprovalRows(db, filter, { after, limit: limit + 1 });
  const page = pageOf(found, limit, ({ id, requestedAt: at }) => ({ id, at }));
  return {
    approvals: page.rows.map((row) => shownApproval(row, now)),
    has_more: page.hasMore,
    next_cursor: page.nextCursor,
  };
}

export function shownApproval(row: ApprovalRow, now: Date): PendingApproval['approval'] {
  return {
    id: row.id,
    operation: row.operation,
    subject: row.subject,
    input: row.input,
    amount_micro: row.amountMicro,
    state: row.state === 'pending' && row.expiresAt <= now ? 'expired' : row.state,
    requested_by: row.requestedBy,
    requested_at: row.requestedAt,
    expires_at: row.expiresAt,
    decided_by: row.decidedBy,
    decided_at: row.decidedAt,
    reason: row.reason,
  };
}
