import type { JSONValue } from 'postgres';
import type { Tx } from '../context.ts';

export type AuditEntry = {
  id: string;
  at: Date;
  /** `operator`, `poster:<id>`, `agent:<id>`, `timer`, `payment:<id>`. */
  actor: string;
  /** `<subject>.<verb>`, e.g. `project.cancel`. */
  action: string;
  /** `project:<id>`, `submission:<id>`, `payout:<id>`, `payment:<id>`, `agent:<id>`. */
  subject: string;
  reason: string | null;
  details: Record<string, JSONValue>;
};

export async function insertAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx`
    insert into audit_trail (id, at, actor, action, subject, reason, details)
    values (${entry.id}, ${entry.at}, ${entry.actor}, ${entry.action}, ${entry.subject}, ${entry.reason},
      ${tx.json(entry.details)})`;
}
