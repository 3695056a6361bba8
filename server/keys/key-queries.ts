import type { AnyScope } from '../../contract/basics/scope.ts';
import type { Queryable, Tx } from '../db/database.ts';

/** The holder of API keys. */
export type Account = { kind: 'agent' | 'poster'; id: string };

export type KeyLabel = { name: string | null; scope: AnyScope };
export type KeyRow = { id: string; accountId: string; scope: AnyScope; secretHash: string };

/** Returns those of the keys of one kind that work. Primary key. */
export async function findKeys(db: Queryable, kind: Account['kind'], ids: readonly string[]): Promise<KeyRow[]> {
  return await db<KeyRow[]>`
    select id, account_id as "accountId", scope, encode(secret_hash, 'hex') as "secretHash"
    from api_keys where id = any(${[...ids]}) and kind = ${kind} and expires_at is null`;
}

export async function insertKey(
  tx: Tx,
  account: Account,
  key: KeyLabel & { id: string; secretHash: string; now: Date },
): Promise<void> {
  await tx`
    insert into api_keys (id, kind, account_id, name, scope, secret_hash, created_at)
    values (${key.id}, ${account.kind}, ${account.id}, ${key.name}, ${key.scope}, decode(${key.secretHash}, 'hex'), ${key.now})`;
}

export type ListedKey = KeyLabel & { id: string; createdAt: Date; lastUsedAt: Date | null; expiresAt: Date | null };

/** Returns the keys that work and the `revoked` that were revoked last, newest first. Index api_keys_account. */
export async function listKeysOf(db: Queryable, account: Account, revoked: number): Promise<ListedKey[]> {
  return await db<ListedKey[]>`
    with own as (
      select *, row_number() over (partition by expires_at is null order by expires_at desc, id desc) as place
      from api_keys where account_id = ${account.id})
    select id, name, scope, created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"
    from own where expires_at is null or place <= ${revoked} order by created_at desc, id desc`;
}

/** Returns whether the account has this key, valid or not. */
export async function hasKey(db: Queryable, account: Account, id: string): Promise<boolean> {
  const [row] = await db`select 1 from api_keys where id = ${id} and account_id = ${account.id}`;
  return row !== undefined;
}

/** Counts the account's keys that work. Index api_keys_account. */
export async function countKeys(tx: Tx, account: Account): Promise<number> {
  const [row] = await tx<[{ count: number }]>`
    select count(*) as count from api_keys where account_id = ${account.id} and expires_at is null`;
  return row.count;
}

/** Ends a key that works. Returns its label, or null if the account has no such key that works. */
export async function endKey(tx: Tx, account: Account, id: string, at: Date): Promise<KeyLabel | null> {
  const [row] = await tx<KeyLabel[]>`
    update api_keys set expires_at = ${at} where id = ${id} and account_id = ${account.id} and expires_at is null
    returning name, scope`;
  return row ?? null;
}
