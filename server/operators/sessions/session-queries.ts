import type { OperatorScope } from '../../../contract/basics/scope.ts';
import type { Queryable, Tx } from '../../ports/database.ts';

export type SessionRow = {
  id: string;
  settingsHash: string;
  /** The person at the identity provider; null for OPERATOR_KEY. */
  subject: string | null;
  name: string | null;
  scope: OperatorScope;
  /** The sealed tokens of the provider. */
  tokens: Buffer | null;
  createdAt: Date;
  expiresAt: Date;
};

const EXPIRED_AT_ONCE = 20;

/**
 * Stores a session. Keeps at most `keep` sessions of the operator by deleting the oldest, and deletes expired sessions
 * of others. Indexes operator_sessions_subject and operator_sessions_expiry.
 */
export async function insertSession(tx: Tx, session: SessionRow & { secretHash: string }, keep: number): Promise<void> {
  const { id, settingsHash, subject, name, scope, tokens, secretHash, createdAt, expiresAt } = session;
  await Promise.all([
    tx`
      delete from operator_sessions where id in (
        select id from operator_sessions where subject is not distinct from ${subject}
        order by created_at desc, id offset ${keep - 1})`,
    tx`
      delete from operator_sessions where id in (
        select id from operator_sessions where expires_at <= ${createdAt}
        order by expires_at limit ${EXPIRED_AT_ONCE} for update skip locked)`,
    tx`
      insert into operator_sessions (id, settings_hash, subject, name, scope, tokens, confirmed_at, secret_hash, created_at,
        expires_at)
      values (${id}, decode(${settingsHash}, 'hex'), ${subject}, ${name}, ${scope}, ${tokens}, ${createdAt},
        decode(${secretHash}, 'hex'), ${createdAt}, ${expiresAt})`,
  ]);
}

/** Reads by primary key. */
export async function findSession(db: Queryable, id: string): Promise<(SessionRow & { secretHash: string }) | null> {
  const [row] = await db<(SessionRow & { secretHash: string })[]>`
    select id, encode(settings_hash, 'hex') as "settingsHash", subject, name, scope, tokens,
      encode(secret_hash, 'hex') as "secretHash", created_at as "createdAt", expires_at as "expiresAt"
    from operator_sessions where id = ${id}`;
  return row ?? null;
}

/** Returns true to the one request that has to ask the provider about the session now. */
export async function claimConfirmation(
  db: Queryable,
  { id, before, now }: { id: string; before: Date; now: Date },
): Promise<boolean> {
  const { count } = await db`
    update operator_sessions set confirmed_at = ${now} where id = ${id} and confirmed_at <= ${before}`;
  return count === 1;
}

/** Stores what the provider has confirmed: the tokens of this session, and the right of all sessions of the person. */
export async function recordConfirmation(
  tx: Tx,
  { id, subject, name, scope, tokens }: Pick<SessionRow, 'id' | 'subject' | 'name' | 'scope' | 'tokens'>,
): Promise<void> {
  await tx`
    update operator_sessions set name = ${name}, scope = ${scope},
      tokens = case when id = ${id} then ${tokens} else tokens end
    where subject = ${subject}`;
}

/** Extends a session that has not expired. Never shortens it. Returns the end. */
export async function extendSession(
  db: Queryable,
  { id, now, expiresAt }: { id: string; now: Date; expiresAt: Date },
): Promise<Date | null> {
  const [row] = await db<{ at: Date }[]>`
    update operator_sessions set expires_at = greatest(expires_at, ${expiresAt})
    where id = ${id} and expires_at > ${now} returning expires_at as at`;
  return row?.at ?? null;
}

/** Deletes the sessions of an operator, or only one of them, and returns the ids of those that had not expired. */
export async function endSessions(
  db: Queryable,
  { subject, only, now }: { subject: string | null; only: string | null; now: Date },
): Promise<string[]> {
  const rows = await db<{ id: string; running: boolean }[]>`
    delete from operator_sessions where subject is not distinct from ${subject} and (${only}::text is null or id = ${only})
    returning id, expires_at > ${now} as running`;
  return rows.filter(({ running }) => running).map(({ id }) => id);
}
