import type { Deps } from '../deps.ts';
import { type AuditRecord, insertAudits } from './queries.ts';
import type { Tx } from '../ports/database.ts';

export type Audited = Pick<AuditRecord, 'at' | 'actor' | 'action' | 'subject'> &
  Partial<Pick<AuditRecord, 'reason' | 'details'>>;

/**
 * Writes one record of an operator action or a money event, in the transaction of that action. Callers may send it
 * together with other statements and await them as one.
 */
export async function recordAudit(deps: Pick<Deps, 'newId'>, tx: Tx, entry: Audited): Promise<void> {
  await recordAudits(deps, tx, [entry]);
}

/** Writes many records in few statements, so that a project with thousands of debts is not locked for seconds. */
export async function recordAudits(deps: Pick<Deps, 'newId'>, tx: Tx, entries: Audited[]): Promise<void> {
  await insertAudits(
    tx,
    entries.map((entry) => ({ id: deps.newId(), reason: null, details: {}, ...entry })),
  );
}
