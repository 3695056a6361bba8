import type { Input } from '../../contract/basics/operation.ts';
import type { auditOperations } from '../../contract/operator/audit.ts';
import { readNewest } from '../paging.ts';
import type { JSONValue, Queryable } from '../db/database.ts';

export type AuditRecord = {
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

export async function findAudit(db: Queryable, id: string): Promise<AuditRecord | null> {
  const [row] = await db<AuditRecord[]>`
    select id, at, actor, action, subject, reason, details from audit_trail where id = ${id}`;
  return row ?? null;
}

type AuditQuery = Input<typeof auditOperations.listAudit>['query'];

/**
 * Reads a page of records, newest first. Uses the index audit_trail_subject or audit_trail_at; a filter by action or actor
 * alone scans the latter until the page is full.
 */
export async function listAuditRows(db: Queryable, query: AuditQuery) {
  const { subject, action, actor } = query;
  return await readNewest<AuditRecord>(db, query, {
    rows: db`
      select id, at, actor, action, subject, reason, details from audit_trail where true
        ${subject === undefined ? db`` : db`and subject = ${subject}`}
        ${action === undefined ? db`` : db`and action = ${action}`} ${actor === undefined ? db`` : db`and actor = ${actor}`}`,
    at: db`at`,
    id: db`id`,
    cursorOf: (record) => record,
  });
}
