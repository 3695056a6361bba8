import type { KeyScope } from '../../../contract/basics/scope.ts';
import type { StoredKey, Use } from '../../keys/public.ts';
import type { AgentCaller, Tier } from '../../ports/callers.ts';
import type { Queryable, Tx } from '../../ports/database.ts';
import type { Standing } from './status.ts';

/** Both lookups use the primary key. */
export async function findKeyHolders(
  db: Queryable,
  keyIds: readonly string[],
): Promise<Map<string, StoredKey<AgentCaller>>> {
  type Row = Standing & { agentId: string; tier: Tier; scope: KeyScope; secretHash: string; expiresAt: Date | null };
  const rows = await db<(Row & { keyId: string })[]>`
    select k.id as "keyId", k.agent_id as "agentId", a.tier, a.status, a.status_reason as reason,
      a.status_until as until, k.scope, encode(k.secret_hash, 'hex') as "secretHash", k.expires_at as "expiresAt"
    from agent_keys k join agents a on a.id = k.agent_id
    where k.id = any(${[...keyIds]})`;
  return new Map(
    rows.map(({ keyId, agentId, tier, scope, status, reason, until, secretHash, expiresAt }) => {
      const restriction = status === 'active' ? {} : { restriction: { reason, until } };
      const caller = { kind: 'agent' as const, agentId, keyId, scope, tier, status, ...restriction };
      return [keyId, { secretHash, expiresAt, caller }];
    }),
  );
}

export type KeyLabel = { name: string | null; scope: KeyScope };

export async function insertKey(
  tx: Tx,
  key: KeyLabel & { id: string; agentId: string; secretHash: string; now: Date },
): Promise<void> {
  await tx`
    insert into agent_keys (id, agent_id, name, scope, secret_hash, created_at)
    values (${key.id}, ${key.agentId}, ${key.name}, ${key.scope}, decode(${key.secretHash}, 'hex'), ${key.now})`;
}

export type KeyRow = KeyLabel & { id: string; createdAt: Date; lastUsedAt: Date | null; expiresAt: Date | null };

/** Newest first. Index agent_keys_agent. */
export async function listKeysOf(db: Queryable, agentId: string): Promise<KeyRow[]> {
  return await db<KeyRow[]>`
    select id, name, scope, created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"
    from agent_keys where agent_id = ${agentId} order by created_at desc, id desc`;
}

/** Returns whether the agent has this key, valid or not. */
export async function hasKey(db: Queryable, key: { id: string; agentId: string }): Promise<boolean> {
  const [row] = await db`select 1 from agent_keys where id = ${key.id} and agent_id = ${key.agentId}`;
  return row !== undefined;
}

/** Counts the agent's keys that have no end. Index agent_keys_agent. */
export async function countLastingKeys(tx: Tx, agentId: string): Promise<number> {
  const [row] = await tx<[{ count: number }]>`
    select count(*) as count from agent_keys where agent_id = ${agentId} and expires_at is null`;
  return row.count;
}

/**
 * Ends a valid key at `at`, or at its own earlier expiry. Returns when the key ends, and its label, or null if the agent
 * has no such valid key.
 */
export async function endGoodKey(
  tx: Tx,
  key: { id: string; agentId: string; at: Date; now: Date },
): Promise<(KeyLabel & { expiresAt: Date }) | null> {
  const [row] = await tx<(KeyLabel & { expiresAt: Date })[]>`
    update agent_keys set expires_at = least(expires_at, ${key.at})
    where id = ${key.id} and agent_id = ${key.agentId} and (expires_at is null or expires_at > ${key.now})
    returning expires_at as "expiresAt", name, scope`;
  return row ?? null;
}

/** Keeps the newest `keep` of the agent's keys in their grace period, and ends and returns the older ones. */
export async function endOldestReplaced(
  tx: Tx,
  keys: { agentId: string; keep: number; now: Date },
): Promise<(KeyLabel & { id: string })[]> {
  return await tx<(KeyLabel & { id: string })[]>`
    update agent_keys set expires_at = ${keys.now}
    where id in (
      select id from agent_keys where agent_id = ${keys.agentId} and expires_at > ${keys.now}
      order by created_at desc, id desc offset ${keys.keep})
    returning id, name, scope`;
}

/** Deletes the agent's expired keys except the newest `keep`. */
export async function deleteEndedKeys(tx: Tx, keys: { agentId: string; keep: number; now: Date }): Promise<void> {
  await tx`
    delete from agent_keys
    where id in (
      select id from agent_keys where agent_id = ${keys.agentId} and expires_at <= ${keys.now}
      order by created_at desc, id desc offset ${keys.keep})`;
}

/** Locks rows in the order of their ids, so two processes that write the same keys cannot deadlock. */
export async function updateLastUsed(db: Queryable, used: Use[]): Promise<void> {
  await db`
    with used as (
      select * from unnest(${used.map(({ id }) => id)}::text[], ${used.map(({ at }) => at.toISOString())}::timestamptz[])
        as used (id, at)
    ), locked as materialized (
      select k.id, used.at from agent_keys k join used on used.id = k.id
      where k.last_used_at is null or k.last_used_at < used.at order by k.id for no key update of k
    )
    update agent_keys set last_used_at = locked.at from locked where agent_keys.id = locked.id`;
}
