import type { OperatorScope } from '../../contract/basics/scope.ts';
import type { Queryable, Tx } from '../db/database.ts';
import type { SessionKind } from '../serve.ts';

/** Whose sessions: an agent or a poster by its id; of operators, a person or OPERATOR_KEY. */
export type Holder = { kind: SessionKind; accountId: string };

/** What only the session of an operator stores. */
export type OperatorPart = {
  name: string | null;
  scope: OperatorScope;
  settingsHash: string;
  /** The sealed tokens of the identity provider. */
  tokens: Buffer | null;
};

export type SessionRow = Holder & {
  id: string;
  /** The key that started the session, and ends it. */
  keyId: string | null;
  /** The wallet that started it. */
  wallet: string | null;
  createdAt: Date;
  expiresAt: Date;
};

// Each insert deletes up to 100 expired rows, so the table cannot grow with expired rows.
const EXPIRED_AT_ONCE = 100;

/**
 * Stores a session. Keeps at most `keep` sessions of the holder by the same key, or by none, by deleting the oldest, so that
 * a key of a lesser scope ends no session of its owner. Deletes expired sessions of others. Indexes sessions_account and
 * sessions_expiry.
 */
export async function insertSession(
  tx: Tx,
  session: SessionRow & { secretHash: string; operator: OperatorPart | null },
  keep: number,
): Promise<void> {
  const { id, kind, accountId, keyId, wallet, secretHash, createdAt, expiresAt, operator } = session;
  await Promise.all([
    // Sent first: sessions of one holder start one after the other.
    tx`select pg_advisory_xact_lock(hashtextextended(${`sessions:${kind}:${accountId}`}, 0))`,
    tx`
      delete from sessions where id in (
        select id from sessions where account_id = ${accountId} and kind = ${kind} and key_id is not distinct from ${keyId}
        order by created_at desc, id offset ${keep - 1})`,
    tx`
      delete from sessions where id in (
        select id from sessions where expires_at <= ${createdAt}
        order by expires_at limit ${EXPIRED_AT_ONCE} for update skip locked)`,
    tx`
      insert into sessions (id, kind, account_id, key_id, wallet_address, secret_hash, created_at, expires_at, name, scope,
        settings_hash, tokens, confirmed_at)
      values (${id}, ${kind}, ${accountId}, ${keyId}, ${wallet}, decode(${secretHash}, 'hex'), ${createdAt}, ${expiresAt},
        ${operator?.name ?? null}, ${operator?.scope ?? null}, decode(${operator?.settingsHash ?? null}, 'hex'),
        ${operator?.tokens ?? null}, ${operator === null ? null : createdAt})`,
  ]);
}

/** Reads by primary key. */
export async function findSession(
  db: Queryable,
  kind: SessionKind,
  id: string,
): Promise<(SessionRow & { secretHash: string }) | null> {
  const [row] = await db<(SessionRow & { secretHash: string })[]>`
    select ${sessionColumns(db)}, encode(secret_hash, 'hex') as "secretHash"
    from sessions where id = ${id} and kind = ${kind}`;
  return row ?? null;
}

/** Reads by primary key. Null for a session of another kind. */
export async function findOperatorPart(db: Queryable, id: string): Promise<OperatorPart | null> {
  const [row] = await db<OperatorPart[]>`
    select name, scope, encode(settings_hash, 'hex') as "settingsHash", tokens
    from sessions where id = ${id} and kind = 'operator'`;
  return row ?? null;
}

/** Returns the sessions that have not expired and whose key works, newest first. Index sessions_account. */
export async function listSessions(db: Queryable, { kind, accountId }: Holder, now: Date): Promise<SessionRow[]> {
  return await db<SessionRow[]>`
    select ${sessionColumns(db)} from sessions
    where account_id = ${accountId} and kind = ${kind} and expires_at > ${now}
      and not exists (select 1 from api_keys k where k.id = key_id and k.expires_at is not null)
    order by created_at desc, id`;
}

function sessionColumns(db: Queryable) {
  return db`
    id, kind, account_id as "accountId", key_id as "keyId", wallet_address as wallet, created_at as "createdAt",
    expires_at as "expiresAt"`;
}

/** Extends a session that has not expired. Never shortens it. Returns the end; null if the session has ended. */
export async function extendSession(
  db: Queryable,
  { id, now, expiresAt }: { id: string; now: Date; expiresAt: Date },
): Promise<Date | null> {
  const [row] = await db<{ at: Date }[]>`
    update sessions set expires_at = greatest(expires_at, ${expiresAt})
    where id = ${id} and expires_at > ${now} returning expires_at as at`;
  return row?.at ?? null;
}

/** Deletes the holder's sessions, only one, or only those of a key, and returns the ids of those that had not expired. */
export async function deleteSessions(
  db: Queryable,
  { kind, accountId }: Holder,
  { only = null, ofKey = null, now }: { only?: string | null; ofKey?: string | null; now: Date },
): Promise<string[]> {
  const rows = await db<{ id: string; running: boolean }[]>`
    delete from sessions where account_id = ${accountId} and kind = ${kind} and (${only}::text is null or id = ${only})
      and (${ofKey}::text is null or key_id = ${ofKey})
    returning id, expires_at > ${now} as running`;
  return rows.filter(({ running }) => running).map(({ id }) => id);
}

/** Returns true to the one request that has to ask the identity provider about the session now. */
export async function claimConfirmation(
  db: Queryable,
  { id, before, now }: { id: string; before: Date; now: Date },
): Promise<boolean> {
  const { count } = await db`update sessions set confirmed_at = ${now} where id = ${id} and confirmed_at <= ${before}`;
  return count === 1;
}

/** Stores what the provider has confirmed: the tokens and the right of this session, and a lesser right in all of the person. */
export async function recordConfirmation(
  tx: Tx,
  { id, accountId, name, scope, tokens }: { id: string; accountId: string } & Omit<OperatorPart, 'settingsHash'>,
): Promise<void> {
  // Another session may have asked later, and have been told a lesser right.
  await tx`
    update sessions set name = ${name}, tokens = case when id = ${id} then ${tokens} else tokens end,
      scope = case when id = ${id} or ${scope} = 'read' then ${scope} else scope end
    where account_id = ${accountId} and kind = 'operator'`;
}
