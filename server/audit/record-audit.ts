import type { Deps } from '../deps.ts';
import { type AuditEntry, insertAudits } from './queries.ts';
import type { Tx } from '../ports/database.ts';

export type Audited = Pick<AuditEntry, 'at' | 'actor' | 'action' | 'subject'> &
  Partial<Pick<AuditEntry, 'reason' | 'details'>>;

/**
 * One line of the append-only audit trail, in the transaction of what it tells of: operator actions and money events.
 * Not awaited by itself where other statements travel with it.
 */
export async function recordAudit(deps: Pick<Deps, 'newId'>, tx: Tx, entry: Audited): Promise<void> {
  await recordAudits(deps, tx, [entry]);
}

/** Many at once: what is owed to thousands must not hold their project for seconds. */
export async function recordAudits(deps: Pick<Deps, 'newId'>, tx: Tx, entries: Audited[]): Promise<void> {
  await insertAudits(
    tx,
    entries.map((entry) => ({ id: deps.newId(), reason: null, details: {}, ...entry })),
  );
}
