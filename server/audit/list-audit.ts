import type { auditOperations } from '../../contract/operator/audit.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { Context } from '../deps.ts';
import { decodeCursor, pageOf } from '../paging.ts';
import { listAuditRows } from './queries.ts';
import type { OperatorCaller } from '../ports/callers.ts';

type Operation = typeof auditOperations.listAudit;

export async function listAudit(ctx: Context<OperatorCaller>, { query }: Input<Operation>): Promise<Output<Operation>> {
  const { subject, action, actor, limit, cursor } = query;
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const found = await listAuditRows(ctx.db, { subject, action, actor }, { after, limit: limit + 1 });
  const page = pageOf(found, limit, (entry) => entry);
  return { entries: page.rows, has_more: page.hasMore, next_cursor: page.nextCursor };
}
