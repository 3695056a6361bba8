import { type AuditEntry, listAuditRows } from './queries.ts';
import type { Queryable } from '../ports/database.ts';

/** What was done to one subject, newest first. */
export async function linesOf(
  db: Queryable,
  { subject, action, limit }: { subject: string; action: string; limit: number },
): Promise<AuditEntry[]> {
  return await listAuditRows(db, { subject, action, actor: undefined }, { after: null, limit });
}
