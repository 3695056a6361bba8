import type { Fragment, JSONValue } from 'postgres';
import type { StoredKey } from '../../keys/public.ts';
import type { StoredSettings } from './settings.ts';
import type { Standing } from './status.ts';
import type { AgentCaller, AgentStatus, Tier } from '../../ports/callers.ts';
import type { Queryable, Tx } from '../../ports/database.ts';

export type Specialization = { id: string; name: string; description: string; category: string; active: boolean };

/** Lists all specializations in display order. */
export async function listCatalogue(db: Queryable): Promise<Specialization[]> {
  return await db<Specialization[]>`
    select id, name, description, category, active from specializations order by category, name, id`;
}

export type NewAgent = {
  id: string;
  name: string;
  description: string;
  modelInfo: JSONValue | null;
  specializations: string[];
  settings: StoredSettings;
  walletAddress: string | null;
  /** Of the operator's terms of service. */
  termsVersion: string | null;
  now: Date;
};

export async function insertAgent(tx: Tx, agent: NewAgent): Promise<void> {
  const modelInfo = agent.modelInfo === null ? null : tx.json(agent.modelInfo);
  await tx`
    insert into agents (id, name, description, model_info, specializations, settings, wallet_address, terms_version,
      created_at, last_active_at)
    values (${agent.id}, ${agent.name}, ${agent.description}, ${modelInfo}, ${agent.specializations},
      ${tx.json(agent.settings)}, ${agent.walletAddress}, ${agent.termsVersion}, ${agent.now}, ${agent.now})`;
}

export async function agentExists(db: Queryable, agentId: string): Promise<boolean> {
  const [row] = await db`select 1 from agents where id = ${agentId}`;
  return row !== undefined;
}

/** Locks this wallet address until the transaction ends. A decision made under the lock is still true at commit. */
export async function lockWallet(tx: Tx, address: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`wallet:${address}`}, 0))`;
}

/**
 * Part of a statement: whether a wallet funded a project that the agent has entered. Index submissions_agent. The locks of
 * the agent and of the wallet keep it true until the commit.
 */
export const fundedAnEntry = (db: Queryable, { agentId, address }: { agentId: string; address: string }) => db`
  exists (
    select 1 from submissions s join projects p on p.id = s.project_id
    where s.agent_id = ${agentId} and s.status <> 'withdrawn' and p.funding_wallet = ${address})`;

/**
 * Links the address as the agent's wallet. Returns false in these cases:
 * - The agent has a linked wallet or declared another one.
 * - The address is linked to another agent.
 * - The address funded a project that this agent has entered.
 *
 * The caller holds the locks of the agent and of the wallet. Indexes agents_linked_wallet, submissions_agent.
 */
export async function linkPayer(tx: Tx, wallet: { agentId: string; address: string; now: Date }): Promise<boolean> {
  const { count } = await tx`
    update agents set wallet_address = ${wallet.address}, wallet_linked_at = ${wallet.now}
    where id = ${wallet.agentId} and wallet_linked_at is null
      and coalesce(wallet_address, ${wallet.address}) = ${wallet.address}
      and not exists (
        select 1 from agents other where other.wallet_address = ${wallet.address} and other.wallet_linked_at is not null)
      and not ${fundedAnEntry(tx, wallet)}`;
  return count === 1;
}

/** Returns whether a wallet has proven to be another agent's. Index agents_linked_wallet. */
export async function isProvenForAnother(
  db: Queryable,
  { agentId, address }: { agentId: string; address: string },
): Promise<boolean> {
  const [row] = await db`
    select 1 from agents
    where wallet_address = ${address} and wallet_linked_at is not null and wallet_proven and id <> ${agentId}`;
  return row !== undefined;
}

export type LockedAgent = {
  tier: Tier;
  status: AgentStatus;
  walletAddress: string | null;
  /** It receives prizes. */
  walletLinked: boolean;
  /** It signed a challenge of this agent. */
  walletProven: boolean;
  /** Takes the place of the proven wallet at `pendingWalletAt`. */
  pendingWallet: string | null;
  pendingWalletAt: Date | null;
};

/**
 * Locks the agent's row. Returns null if the agent does not exist. Other transactions can still insert rows with a
 * foreign key to the agent.
 */
export async function lockAgent(tx: Tx, agentId: string | Fragment): Promise<LockedAgent | null> {
  const [row] = await tx<LockedAgent[]>`
    select tier, status, wallet_address as "walletAddress", wallet_linked_at is not null as "walletLinked",
      wallet_proven as "walletProven", pending_wallet as "pendingWallet", pending_wallet_at as "pendingWalletAt"
    from agents where id = ${agentId} for no key update`;
  return row ?? null;
}

/** Both lookups use the primary key. */
export async function findKeyHolder(db: Queryable, keyId: string): Promise<StoredKey<AgentCaller> | null> {
  type Row = Standing & { agentId: string; tier: Tier; secretHash: string; expiresAt: Date | null };
  const [row] = await db<Row[]>`
    select k.agent_id as "agentId", a.tier, a.status, a.status_reason as reason, a.status_until as until,
      encode(k.secret_hash, 'hex') as "secretHash", k.expires_at as "expiresAt"
    from agent_keys k join agents a on a.id = k.agent_id
    where k.id = ${keyId}`;
  if (!row) return null;
  const { agentId, tier, status, reason, until, secretHash, expiresAt } = row;
  const restriction = status === 'active' ? {} : { restriction: { reason, until } };
  return { secretHash, expiresAt, caller: { kind: 'agent', agentId, keyId, tier, status, ...restriction } };
}

export async function insertKey(
  tx: Tx,
  key: { id: string; agentId: string; secretHash: string; now: Date },
): Promise<void> {
  await tx`
    insert into agent_keys (id, agent_id, secret_hash, created_at)
    values (${key.id}, ${key.agentId}, decode(${key.secretHash}, 'hex'), ${key.now})`;
}

export type KeyRow = { id: string; createdAt: Date; expiresAt: Date | null };

/** Newest first. Index agent_keys_agent. */
export async function listKeysOf(db: Queryable, agentId: string): Promise<KeyRow[]> {
  return await db<KeyRow[]>`
    select id, created_at as "createdAt", expires_at as "expiresAt" from agent_keys
    where agent_id = ${agentId} order by created_at desc, id desc`;
}

/**
 * Ends a valid key at `at`, or at its own earlier expiry. Returns when the key ends, or null if the agent has no such
 * valid key.
 */
export async function endGoodKey(
  tx: Tx,
  key: { id: string; agentId: string; at: Date; now: Date },
): Promise<Date | null> {
  const [row] = await tx<{ expiresAt: Date }[]>`
    update agent_keys set expires_at = least(expires_at, ${key.at})
    where id = ${key.id} and agent_id = ${key.agentId} and (expires_at is null or expires_at > ${key.now})
    returning expires_at as "expiresAt"`;
  return row?.expiresAt ?? null;
}

/** Returns false if the agent has no such key. An expired key keeps its expiry time. */
export async function revokeKeyOf(db: Queryable, key: { id: string; agentId: string; now: Date }): Promise<boolean> {
  const { count } = await db`
    update agent_keys set expires_at = least(expires_at, ${key.now}) where id = ${key.id} and agent_id = ${key.agentId}`;
  return count === 1;
}

/** Keeps the agent's newest `keep` valid keys besides `except`, ends all older ones, and returns their ids. */
export async function endOldestKeys(
  tx: Tx,
  keys: { agentId: string; except: string; keep: number; now: Date },
): Promise<string[]> {
  const ended = await tx<{ id: string }[]>`
    update agent_keys set expires_at = ${keys.now}
    where id in (
      select id from agent_keys
      where agent_id = ${keys.agentId} and id <> ${keys.except} and (expires_at is null or expires_at > ${keys.now})
      order by created_at desc, id desc offset ${keys.keep})
    returning id`;
  return ended.map((row) => row.id);
}

/** Deletes the agent's expired keys except the newest `keep`. */
export async function deleteEndedKeys(tx: Tx, keys: { agentId: string; keep: number; now: Date }): Promise<void> {
  await tx`
    delete from agent_keys
    where id in (
      select id from agent_keys where agent_id = ${keys.agentId} and expires_at <= ${keys.now}
      order by created_at desc, id desc offset ${keys.keep})`;
}

/** Locks rows in the order of their ids, so two processes that write the same agents cannot deadlock. */
export async function updateLastActive(db: Queryable, seen: { agentId: string; at: Date }[]): Promise<void> {
  await db`
    with seen as (
      select * from unnest(${seen.map((entry) => entry.agentId)}::uuid[], ${seen.map((entry) => entry.at.toISOString())}::timestamptz[])
        as seen (agent_id, at)
    ), locked as materialized (
      select a.id, seen.at from agents a join seen on seen.agent_id = a.id
      where a.last_active_at < seen.at order by a.id for no key update of a
    )
    update agents set last_active_at = locked.at from locked where agents.id = locked.id`;
}
