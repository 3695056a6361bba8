import type { PosterScope } from '../../contract/basics/scope.ts';
import type { StoredKey, WalletMessage } from '../keys/public.ts';
import type { PosterCaller } from '../ports/callers.ts';
import type { Queryable, Tx } from '../ports/database.ts';

export type PosterRow = {
  id: string;
  name: string;
  email: string | null;
  walletAddress: string | null;
  createdAt: Date;
};

export type Session = {
  id: string;
  posterId: string;
  keyId: string | null;
  secretHash: string;
  createdAt: Date;
  expiresAt: Date;
};

// Each insert deletes up to 100 expired rows, so the tables cannot grow with expired rows.
const EXPIRED_AT_ONCE = 100;

/**
 * Stores a challenge and deletes expired ones. Earlier challenges of the wallet stay valid, because anybody can ask for
 * any wallet.
 */
export async function insertChallenge(tx: Tx, challenge: WalletMessage): Promise<void> {
  const { nonce, address, message, createdAt, expiresAt } = challenge;
  await Promise.all([
    // Index sign_in_challenges_expiry.
    tx`
      delete from sign_in_challenges where nonce in (
        select nonce from sign_in_challenges where expires_at <= ${createdAt}
        order by expires_at limit ${EXPIRED_AT_ONCE} for update skip locked)`,
    tx`
      insert into sign_in_challenges (nonce, address, message, created_at, expires_at)
      values (${nonce}, ${address}, ${message}, ${createdAt}, ${expiresAt})`,
  ]);
}

export async function findChallenge(db: Queryable, nonce: string): Promise<WalletMessage | null> {
  const [row] = await db<WalletMessage[]>`
    select nonce, address, message, created_at as "createdAt", expires_at as "expiresAt"
    from sign_in_challenges where nonce = ${nonce}`;
  return row ?? null;
}

/** Returns false if the challenge was used or deleted in the meantime. */
export async function useChallenge(tx: Tx, nonce: string): Promise<boolean> {
  const { count } = await tx`delete from sign_in_challenges where nonce = ${nonce}`;
  return count === 1;
}

/** Returns the poster of this wallet, and creates it on the first sign-in. Index posters_wallet. */
export async function posterOfWallet(
  tx: Tx,
  poster: { id: string; name: string; address: string; termsVersion: string | null; now: Date },
): Promise<PosterRow> {
  const { address } = poster;
  await tx`
    insert into posters (id, name, wallet_address, terms_version, created_at)
    values (${poster.id}, ${poster.name}, ${address}, ${poster.termsVersion}, ${poster.now})
    on conflict (wallet_address) do nothing`;
  const [row] = await tx<[PosterRow]>`select ${posterColumns(tx)} from posters where wallet_address = ${address}`;
  return row;
}

export async function findPoster(db: Queryable, posterId: string): Promise<PosterRow | null> {
  const [row] = await db<PosterRow[]>`select ${posterColumns(db)} from posters where id = ${posterId}`;
  return row ?? null;
}

function posterColumns(db: Queryable) {
  return db`id, name, email, wallet_address as "walletAddress", created_at as "createdAt"`;
}

/**
 * Stores a session. Keeps at most `keep` sessions of the poster by deleting the oldest, and deletes expired sessions of
 * others.
 */
export async function insertSession(tx: Tx, session: Session, keep: number): Promise<void> {
  const { id, posterId, keyId, secretHash, createdAt, expiresAt } = session;
  await Promise.all([
    // Index poster_sessions_poster.
    tx`
      delete from poster_sessions where id in (
        select id from poster_sessions where poster_id = ${posterId} order by created_at desc, id offset ${keep - 1})`,
    // Index poster_sessions_expiry.
    tx`
      delete from poster_sessions where id in (
        select id from poster_sessions where expires_at <= ${createdAt}
        order by expires_at limit ${EXPIRED_AT_ONCE} for update skip locked)`,
    tx`
      insert into poster_sessions (id, poster_id, key_id, secret_hash, created_at, expires_at)
      values (${id}, ${posterId}, ${keyId}, decode(${secretHash}, 'hex'), ${createdAt}, ${expiresAt})`,
  ]);
}

export type StoredSession = StoredKey<PosterCaller> & { createdAt: Date; expiresAt: Date; keyId: string | null };

/** Reads by primary key. A session that a key started has the scope of that key, and ends with it at the latest. */
export async function findSession(db: Queryable, id: string): Promise<StoredSession | null> {
  const [row] = await db<(Omit<StoredSession, 'caller'> & { posterId: string; scope: PosterScope })[]>`
    select s.poster_id as "posterId", s.key_id as "keyId", encode(s.secret_hash, 'hex') as "secretHash",
      s.created_at as "createdAt", least(s.expires_at, k.expires_at) as "expiresAt", coalesce(k.scope, 'full') as scope
    from poster_sessions s left join poster_keys k on k.id = s.key_id where s.id = ${id}`;
  if (!row) return null;
  const { posterId, scope, ...session } = row;
  return { ...session, caller: { kind: 'poster', posterId, keyId: session.keyId, sessionId: id, scope } };
}

/** Extends a session that has not expired. Never shortens it. */
export async function extendSession(
  db: Queryable,
  { id, now, expiresAt }: { id: string; now: Date; expiresAt: Date },
): Promise<void> {
  await db`
    update poster_sessions set expires_at = ${expiresAt}
    where id = ${id} and expires_at > ${now} and expires_at < ${expiresAt}`;
}

/** Deletes the poster's sessions, only one, or only those of a key, and returns the ids of those that had not expired. */
export async function endSessions(
  db: Queryable,
  { posterId, only, ofKey, now }: { posterId: string; only: string | null; ofKey: string | null; now: Date },
): Promise<string[]> {
  const rows = await db<{ id: string; running: boolean }[]>`
    delete from poster_sessions where poster_id = ${posterId} and (${only}::text is null or id = ${only})
      and (${ofKey}::text is null or key_id = ${ofKey})
    returning id, expires_at > ${now} as running`;
  return rows.filter(({ running }) => running).map(({ id }) => id);
}

/** Returns the poster that signs in with this wallet, or null. */
export async function findPosterOfWallet(db: Queryable, wallet: string): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`select id from posters where wallet_address = ${wallet}`;
  return row?.id ?? null;
}
