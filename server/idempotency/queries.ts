import type { Queryable, Tx } from '../db/database.ts';

export type StoredAnswer = { fingerprint: Buffer; answer: Buffer };

/** Returns the answer that this key got after `since`. A key whose transaction is still open is invisible. */
export async function findAnswer(db: Queryable, id: Buffer, since: Date): Promise<StoredAnswer | null> {
  const [row] = await db<StoredAnswer[]>`
    select fingerprint, answer from idempotency_keys where id = ${id} and created_at > ${since}`;
  return row ?? null;
}

/**
 * Locks the key until the transaction ends; returns false when another transaction holds the lock. It does not wait for
 * the row, because many copies of one request would then hold every connection.
 */
export async function tryLockKey(tx: Tx, id: Buffer): Promise<boolean> {
  const [row] = await tx<{ locked: boolean }[]>`
    select pg_try_advisory_xact_lock(${String(id.readBigInt64BE())}::bigint) as locked`;
  return row?.locked ?? false;
}

export type KeyClaim = { id: Buffer; fingerprint: Buffer; now: Date; since: Date };

/** Inserts the key, or reuses the row of an expired one. Returns false when the key has an answer. */
export async function claimKey(tx: Tx, { id, fingerprint, now, since }: KeyClaim): Promise<boolean> {
  const { count } = await tx`
    insert into idempotency_keys as known (id, fingerprint, created_at) values (${id}, ${fingerprint}, ${now})
    on conflict (id) do update set fingerprint = excluded.fingerprint, answer = null, created_at = excluded.created_at
    where known.created_at <= ${since}`;
  return count === 1;
}

export async function keepAnswer(tx: Tx, id: Buffer, answer: Buffer): Promise<void> {
  await tx`update idempotency_keys set answer = ${answer} where id = ${id}`;
}

/** Deletes up to `limit` expired keys, oldest first, and returns their number. */
export async function deleteKeysUntil(db: Queryable, until: Date, limit: number): Promise<number> {
  const { count } = await db`
    delete from idempotency_keys where id in (
      select id from idempotency_keys where created_at <= ${until}
      order by created_at limit ${limit} for update skip locked)`;
  return count;
}
