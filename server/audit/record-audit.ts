import type english from '../../console/messages/en.json';
import type { Deps } from '../deps.ts';
import type { AuditRecord } from './queries.ts';
import type { Caller } from '../callers.ts';
import type { Tx } from '../db/database.ts';

type Words = typeof english.operator.operator.audit;
/** `<subject>.<verb>`. The console has words for each action, and for each kind of subject. */
type AuditAction = keyof Words['actions'];
/** The subject of a record. The service itself has no id. */
type AuditSubject = `${keyof Words['kinds']}:${string}` | 'service';

export type Audited = Pick<AuditRecord, 'at' | 'actor'> &
  Partial<Pick<AuditRecord, 'reason' | 'details'>> & { action: AuditAction; subject: AuditSubject };

/** The person at the command line. */
export type CommandCaller = { kind: 'command'; user: string };

/** In a request, the context of its verb: it knows the caller. So does a command. */
type Recorder = Pick<Deps, 'newId'> & { caller?: Caller | CommandCaller };

/**
 * Returns the operator's name for the audit trail: `operator:<name>`, `operator` for OPERATOR_KEY, or `command:<user>` at
 * the command line.
 */
export function actorOf(caller: Caller | CommandCaller | undefined): string {
  if (caller?.kind === 'command') return `command:${caller.user}`;
  return caller?.kind === 'operator' && caller.name ? `operator:${caller.name}` : 'operator';
}

/**
 * Writes one record of an operator action or a money event, in the transaction of that action. Callers may send it
 * together with other statements and await them as one. The actor `operator` becomes the name of the request's operator.
 */
export async function recordAudit(deps: Recorder, tx: Tx, entry: Audited): Promise<void> {
  await recordAudits(deps, tx, [entry]);
}

/** Writes many records in few statements, so that a project with thousands of debts is not locked for seconds. */
export async function recordAudits({ newId, caller }: Recorder, tx: Tx, entries: Audited[]): Promise<void> {
  const rows = entries.map((entry) => ({
    id: newId(),
    reason: null,
    ...entry,
    details: tx.json(entry.details ?? {}),
    actor: entry.actor === 'operator' ? actorOf(caller) : entry.actor,
  }));
  // A row has seven values, and a statement takes at most 65,534.
  for (let from = 0; from < rows.length; from += 1000)
    await tx`
      insert into audit_trail ${tx(rows.slice(from, from + 1000), 'id', 'at', 'actor', 'action', 'subject', 'reason', 'details')}`;
}
