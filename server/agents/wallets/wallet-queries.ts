import { agentColumns, fundedAnEntry } from '../accounts/queries.ts';
import type { Fragment, Queryable, Tx } from '../../db/database.ts';
import type { Wallet } from './wallet-profile.ts';

/**
 * Checks why this wallet cannot be linked to the agent. The caller holds the locks of both, so the result holds until
 * commit. Indexes agents_linked_wallet, submissions_agent.
 */
export async function findWalletObstacles(
  tx: Tx,
  { agentId, address }: { agentId: string; address: string },
): Promise<{ ofAnotherAgent: boolean; fundedAnEntry: boolean }> {
  const [row] = await tx<[{ ofAnotherAgent: boolean; fundedAnEntry: boolean }]>`
    select
      exists (
        select 1 from agents
        where wallet_address = ${address} and wallet_linked_at is not null and wallet_proven and id <> ${agentId}
      ) as "ofAnotherAgent",
      ${fundedAnEntry(tx, { agentId, address })} as "fundedAnEntry"`;
  return row;
}

/** Returns the other agent to which a wallet is linked, if it did not prove the wallet. Index agents_linked_wallet. */
export async function findLinkedAgent(
  tx: Tx,
  { agentId, address }: { agentId: string; address: string },
): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`
    select id from agents
    where wallet_address = ${address} and wallet_linked_at is not null and not wallet_proven and id <> ${agentId}`;
  return row?.id ?? null;
}

/** Ends the link of a wallet that its agent did not prove. The agent has no wallet then. Returns whether it was linked. */
export async function unlinkWallet(
  tx: Tx,
  { agentId, address }: { agentId: string; address: string },
): Promise<boolean> {
  const { count } = await tx`
    update agents set wallet_address = null, wallet_linked_at = null
    where id = ${agentId} and wallet_address = ${address} and wallet_linked_at is not null and not wallet_proven`;
  return count === 1;
}

const walletColumns = (tx: Tx) => tx`${agentColumns(tx)},
  coalesce((select pending_micro from agent_figures where agent_id = agents.id and scope = 'overall'), 0) as "pendingMicro"`;

/** Replaces any previous wallet of the agent, and ends a pending change. */
export async function setProvenWallet(
  tx: Tx,
  wallet: { agentId: string; address: string; now: Date },
): Promise<Wallet> {
  const [row] = await tx<[Wallet]>`
    update agents set wallet_address = ${wallet.address}, wallet_proven = true, wallet_linked_at = ${wallet.now},
      pending_wallet = null, pending_wallet_at = null
    where id = ${wallet.agentId} returning ${walletColumns(tx)}`;
  return row;
}

/** Sets the pending change of the agent's wallet, or ends it. The caller holds the agent's lock. */
export async function setPendingWallet(
  tx: Tx,
  agentId: string,
  pending: { address: string; effectiveAt: Date } | null,
): Promise<Wallet> {
  const [row] = await tx<[Wallet]>`
    update agents set pending_wallet = ${pending?.address ?? null}, pending_wallet_at = ${pending?.effectiveAt ?? null}
    where id = ${agentId} returning ${walletColumns(tx)}`;
  return row;
}

/** Returns the wallets that take effect now, the earliest first. Index agents_pending_wallet_at. */
export async function listDueChanges(
  db: Queryable,
  now: Date,
  limit: number,
): Promise<{ agentId: string; address: string }[]> {
  return await db<{ agentId: string; address: string }[]>`
    select id as "agentId", pending_wallet as address from agents
    where pending_wallet_at is not null and pending_wallet_at <= ${now} and status <> 'suspended'
    order by pending_wallet_at limit ${limit}`;
}

/** Part of a statement: the agent's linked wallet as `wallet`, no row without one. By the primary key of agents. */
export const linkedWallet = (db: Queryable, agentId: Fragment) => db`
  select wallet_address as wallet from agents where id = ${agentId} and wallet_linked_at is not null`;

/**
 * A condition for statements of other domains: this payer of an entry fee may not get the award of the agent. Another agent has
 * proven the wallet, or the agent has a wallet of its own or is suspended. Index agents_linked_wallet.
 */
export const isNoPayee = (db: Queryable, agentId: Fragment, payer: string) => db`
  select 1 from agents
  where (id = ${agentId} and (wallet_linked_at is not null or status = 'suspended'))
    or (wallet_address = ${payer} and wallet_linked_at is not null and wallet_proven and id <> ${agentId})`;

/** Returns the agents whose linked wallet this is. Index agents_linked_wallet. */
export async function agentsOfWallet(db: Queryable, wallet: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from agents where wallet_address = ${wallet} and wallet_linked_at is not null`;
  return rows.map(({ id }) => id);
}
