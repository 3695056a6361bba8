import type { JSONValue } from 'postgres';
import type { Place } from '../paging.ts';
import type { Queryable, Tx } from '../ports/database.ts';

export type AuditEntry = {
  id: string;
  at: Date;
  /** `operator`, `poster:<id>`, `agent:<id>`, `timer`, `system`, `payment:<id>`. */
  actor: string;
  /** `<subject>.<verb>`, e.g. `project.cancel`. */
  action: string;
  /** `project:<id>`, `submission:<id>`, `payout:<id>`, `payment:<id>`, `agent:<id>`. */
  subject: string;
  reason: string | null;
  details: Record<string, JSONValue>;
};

export async function insertAudits(tx: Tx, entries: AuditEntry[]): Promise<void> {
  const rows = entries.map((entry) => ({ ...entry, details: tx.json(entry.details) }));
  // Seven values a row, and a statement takes 65,534.
  for (let from = 0; from < rows.length; from += 1000)
    await tx`
      insert into audit_trail ${tx(rows.slice(from, from + 1000), 'id', 'at', 'actor', 'action', 'subject', 'reason', 'details')}`;
}

export type AuditFilter = { subject: string | undefined; action: string | undefined; actor: string | undefined };

/**
 * Newest first, from a place on. Index audit_trail_subject or audit_trail_at; a filter by action or actor alone walks the
 * latter until it has a page.
 */
export async function listAuditRows(
  db: Queryable,
  { subject, action, actor }: AuditFilter,
  { after, limit }: { after: Place | null; limit: number },
): Promise<AuditEntry[]> {
  return await db<AuditEntry[]>`
    select id, at, actor, action, subject, reason, details from audit_trail
    where true
      ${subject === undefined ? db`` : db`and subject = ${subject}`}
      ${action === undefined ? db`` : db`and action = ${action}`}
      ${actor === undefined ? db`` : db`and actor = ${actor}`}
      ${after === null ? db`` : db`and (at, id) < (${after.at}, ${after.id})`}
    order by at desc, id desc limit ${limit}`;
}
