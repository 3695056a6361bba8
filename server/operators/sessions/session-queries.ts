import type { Queryable, Tx } from '../../ports/database.ts';

export type SessionRow = {
  id: string;
  /** Of OPERATOR_KEY: another setting ends the session. */
  sharedKeyHash: string;
  createdAt: Date;
  expiresAt: Date;
};

const EXPIRED_AT_ONCE = 20;

/**
 * Stores a session. Keeps at most `keep` sessions of the operator by deleting the oldest, and deletes expired sessions
 * of others. Indexes operator_sessions_operator and operator_sessions_expiry.
 */
export async function insertSession(tx: Tx, session: SessionRow & { secretHash: string }, keep: number): Promise<void> {
  const { id, sharedKeyHash, secretHash, createdAt, expiresAt } = session;
  await Promise.all([
    tx`
      delete from operator_sessions where id in (
        select id from operator_sessions where operator_id is null
        order by created_at desc, id offset ${keep - 1})`,
    tx`
      delete from operator_sessions where id in (
        select id from operator_sessions where expires_at <= ${createdAt}
        order by expires_at limit ${EXPIRED_AT_ONCE} for update skip locked)`,
    tx`
      insert into operator_sessions (id, shared_key_hash, secret_hash, created_at, expires_at)
      values (${id}, decode(${sharedKeyHash}, 'hex'), decode(${secretHash}, 'hex'), ${createdAt}, ${expiresAt})`,
  ]);
}

/** Reads by primary key. */
export async function findSession(db: Queryable, id: string): Promise<(SessionRow & { secretHash: string }) | null> {
  const [row] = await db<(SessionRow & { secretHash: string })[]>`
    select id, encode(shared_key_hash, 'hex') as "sharedKeyHash",
      encode(secret_hash, 'hex') as "secretHash", created_at as "createdAt", expires_at as "expiresAt"
    from operator_sessions where id = ${id}`;
  return row ?? null;
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
export async function endSessions(db: Queryable, { only, now }: { only: string | null; now: Date }): Promise<string[]> {
  const rows = await db<{ id: string; running: boolean }[]>`
    delete from operator_sessions where (${only}::text is null or id = ${only})
    returning id, expires_at > ${now} as running`;
  return rows.filter(({ running }) => running).map(({ id }) => id);
}
