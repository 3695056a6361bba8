import type { PosterScope } from '../../contract/basics/scope.ts';
import type { StoredKey, Use } from '../keys/public.ts';
import type { PosterCaller } from '../ports/callers.ts';
import type { Queryable, Tx } from '../ports/database.ts';

export type KeyLabel = { name: string | null; scope: PosterScope };

/** Makes changes to the keys of one poster run one after the other, until the transaction ends. */
export async function lockPoster(tx: Tx, posterId: string): Promise<void> {
  await tx`select 1 from posters where id = ${posterId} for no key update`;
}

export async function insertKey(
  tx: Tx,
  key: KeyLabel & { id: string; posterId: string; secretHash: string; now: Date },
): Promise<void> {
  await tx`
    insert into poster_keys (id, poster_id, name, scope, secret_hash, created_at)
    values (${key.id}, ${key.posterId}, ${key.name}, ${key.scope}, decode(${key.secretHash}, 'hex'), ${key.now})`;
}

/** Reads by primary key. */
export async function findPosterOfKey(db: Queryable, keyId: string): Promise<StoredKey<PosterCaller> | null> {
  const [row] = await db<{ posterId: string; scope: PosterScope; secretHash: string; expiresAt: Date | null }[]>`
    select poster_id as "posterId", scope, encode(secret_hash, 'hex') as "secretHash", expires_at as "expiresAt"
    from poster_keys where id = ${keyId}`;
  if (!row) return null;
  const { posterId, scope, secretHash, expiresAt } = row;
  return { secretHash, expiresAt, caller: { kind: 'poster', posterId, keyId, scope } };
}

export type KeyRow = KeyLabel & { id: string; createdAt: Date; lastUsedAt: Date | null; expiresAt: Date | null };

/** Returns the keys without an end and the `ended` that ended last, newest first. Index poster_keys_poster. */
export async function listKeysOf(
  db: Queryable,
  { posterId, ended }: { posterId: string; ended: number },
): Promise<KeyRow[]> {
  return await db<KeyRow[]>`
    with own as (
      select *, row_number() over (partition by expires_at is null order by expires_at desc, id desc) as place
      from poster_keys where poster_id = ${posterId})
    select id, name, scope, created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"
    from own where expires_at is null or place <= ${ended} order by created_at desc, id desc`;
}

/** Returns whether the poster has this key, valid or not. */
export async function hasKey(db: Queryable, key: { id: string; posterId: string }): Promise<boolean> {
  const [row] = await db`select 1 from poster_keys where id = ${key.id} and poster_id = ${key.posterId}`;
  return row !== undefined;
}

/** Counts the poster's keys that have no end. Index poster_keys_poster. */
export async function countLastingKeys(tx: Tx, posterId: string): Promise<number> {
  const [row] = await tx<[{ count: number }]>`
    select count(*) as count from poster_keys where poster_id = ${posterId} and expires_at is null`;
  return row.count;
}

/** Ends a valid key, and returns its label, or null if the poster has no such valid key. */
export async function endGoodKey(tx: Tx, key: { id: string; posterId: string; now: Date }): Promise<KeyLabel | null> {
  const [row] = await tx<KeyLabel[]>`
    update poster_keys set expires_at = ${key.now}
    where id = ${key.id} and poster_id = ${key.posterId} and (expires_at is null or expires_at > ${key.now})
    returning name, scope`;
  return row ?? null;
}

/** Locks rows in the order of their ids, so two processes that write the same keys cannot deadlock. */
export async function updateLastUsed(db: Queryable, used: Use[]): Promise<void> {
  await db`
    with used as (
      select * from unnest(${used.map(({ id }) => id)}::text[], ${used.map(({ at }) => at.toISOString())}::timestamptz[])
        as used (id, at)
    ), locked as materialized (
      select k.id, used.at from poster_keys k join used on used.id = k.id
      where k.last_used_at is null or k.last_used_at < used.at order by k.id for no key update of k
    )
    update poster_keys set last_used_at = locked.at from locked where poster_keys.id = locked.id`;
}
