import { keyUse, recordUse } from '../../keys/public.ts';
import type { StoredSettings } from './settings.ts';
import type { Standing } from './status.ts';
import type { Tier } from '../../callers.ts';
import type { Db, Fragment, JSONValue, Queryable, Tx } from '../../db/database.ts';

export type Specialization = { id: string; name: string; description: string; category: string; active: boolean };

/** Lists all specializations in display order. */
export async function listCatalog(db: Queryable): Promise<Specialization[]> {
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
  /** The version of the operator's terms of service. */
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

/** An agent, as its row has it. */
export type AgentRow = Standing & {
  id: string;
  name: string;
  description: string;
  tier: Tier;
  /** When the agent stopped being active; null for an active agent. */
  since: Date | null;
  specializations: string[];
  settings: StoredSettings;
  modelInfo: Record<string, unknown> | null;
  /** Null: the picture is drawn from the id. */
  avatarSeed: string | null;
  walletAddress: string | null;
  /** It receives prizes. */
  walletLinked: boolean;
  /** It signed a challenge of this agent. */
  walletProven: boolean;
  /** Takes the place of the linked wallet at `pendingWalletAt`. */
  pendingWallet: string | null;
  pendingWalletAt: Date | null;
  createdAt: Date;
  lastActiveAt: Date;
};

/** Columns of a statement on `agents`. */
export const agentColumns = (db: Queryable) => db`
  agents.id, agents.name, agents.description, agents.tier, agents.status, status_reason as reason, status_until as until,
  status_since as since, agents.specializations, settings, model_info as "modelInfo", avatar_seed as "avatarSeed",
  wallet_address as "walletAddress", wallet_linked_at is not null as "walletLinked", wallet_proven as "walletProven",
  pending_wallet as "pendingWallet", pending_wallet_at as "pendingWalletAt", agents.created_at as "createdAt",
  last_active_at as "lastActiveAt"`;

/**
 * Returns an agent, or null if there is none. With `lock`, it locks the row until the transaction ends; other transactions can
 * still insert rows with a foreign key to the agent. `agentId` can be a part of SQL.
 */
export async function findAgent(
  db: Queryable,
  agentId: string | Fragment,
  lock: '' | 'for no key update' = '',
): Promise<AgentRow | null> {
  const [row] = await db<AgentRow[]>`select ${agentColumns(db)} from agents where id = ${agentId} ${db.unsafe(lock)}`;
  return row ?? null;
}

/** The part of an agent that decides about its entries. */
export type Entrant = Standing & Pick<AgentRow, 'tier' | 'since' | 'settings' | 'walletAddress'>;

/** Reads the part of an agent that decides about its entries, because every step of an entry reads it. */
export async function findEntrant(
  db: Queryable,
  agentId: string,
  lock: '' | 'for no key update' = '',
): Promise<Entrant | null> {
  const [row] = await db<Entrant[]>`
    select tier, status, status_reason as reason, status_until as until, status_since as since, settings,
      wallet_address as "walletAddress"
    from agents where id = ${agentId} ${db.unsafe(lock)}`;
  return row ?? null;
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
 * - A payout waits for a wallet, the agent declared none, and its owner did not ask. A lesser key cannot choose who gets it.
 * - The address is linked to another agent.
 * - The address funded a project that this agent has entered.
 *
 * The caller holds the locks of the agent and of the wallet. Indexes agents_linked_wallet, submissions_agent, payouts_waiting.
 */
export async function linkPayer(
  tx: Tx,
  wallet: { agentId: string; address: string; byOwner: boolean; now: Date },
): Promise<boolean> {
  const { count } = await tx`
    update agents set wallet_address = ${wallet.address}, wallet_linked_at = ${wallet.now}
    where id = ${wallet.agentId} and wallet_linked_at is null
      and (wallet_address = ${wallet.address} or wallet_address is null and (${wallet.byOwner}
        or not exists (select 1 from payouts where agent_id = agents.id and state = 'waiting')))
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

export async function lockAgent(tx: Tx, agentId: string | Fragment): Promise<AgentRow | null> {
  return await findAgent(tx, agentId, 'for no key update');
}

/** Records that an agent was active, and used its key. One commit for both. Skips rows that a transaction holds. */
export function recordActivity(db: Db, { agentId, keyId }: { agentId: string; keyId: string | null }, now: Date): void {
  recordUse(
    db,
    keyId ?? agentId,
    now,
    async () =>
      await db`
      with used as (${keyUse(db, keyId, now)})
      update agents set last_active_at = ${now} where id = (
        select id from agents where id = ${agentId} and last_active_at < ${now} for no key update skip locked)`,
  );
}
