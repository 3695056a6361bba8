import type { WalletMessage } from '../../keys/public.ts';
import type { Fragment } from 'postgres';
import { fundedAnEntry } from '../accounts/public.ts';
import type { Queryable, Tx } from '../../ports/database.ts';

export type WalletChallenge = WalletMessage & { agentId: string };

// Each new challenge deletes up to 100 expired ones, so the table cannot grow with expired rows.
const EXPIRED_AT_ONCE = 100;

/**
 * Stores the agent's only valid challenge, and deletes expired ones of other agents. The caller holds the agent's lock.
 */
export async function replaceChallenge(tx: Tx, challenge: WalletChallenge): Promise<void> {
  const { nonce, agentId, address, message, createdAt, expiresAt } = challenge;
  await Promise.all([
    // Delete first, so no transaction waits for a lock below while it holds this one. Index wallet_challenges_agent.
    tx`delete from wallet_challenges where agent_id = ${agentId}`,
    // Index wallet_challenges_expiry.
    tx`
      delete from wallet_challenges where nonce in (
        select nonce from wallet_challenges where expires_at <= ${createdAt}
        order by expires_at limit ${EXPIRED_AT_ONCE} for update skip locked)`,
    tx`
      insert into wallet_challenges (nonce, agent_id, address, message, created_at, expires_at)
      values (${nonce}, ${agentId}, ${address}, ${message}, ${createdAt}, ${expiresAt})`,
  ]);
}

/** Finds a challenge of this agent. Another agent's challenge gives null. */
export async function findChallenge(
  db: Queryable,
  { nonce, agentId }: Pick<WalletChallenge, 'nonce' | 'agentId'>,
): Promise<WalletChallenge | null> {
  const [row] = await db<WalletChallenge[]>`
    select nonce, agent_id as "agentId", address, message, created_at as "createdAt", expires_at as "expiresAt"
    from wallet_challenges where nonce = ${nonce} and agent_id = ${agentId}`;
  return row ?? null;
}

/** Returns false if the challenge was used, replaced, or deleted in the meantime. */
export async function useChallenge(
  tx: Tx,
  { nonce, agentId }: Pick<WalletChallenge, 'nonce' | 'agentId'>,
): Promise<boolean> {
  const { count } = await tx`delete from wallet_challenges where nonce = ${nonce} and agent_id = ${agentId}`;
  return count === 1;
}

/**
 * Checks why this wallet cannot be linked to the agent. The caller holds the locks of both, so the result holds until
 * commit. Indexes agents_proven_wallet, submissions_agent.
 */
export async function findWalletObstacles(
  tx: Tx,
  { agentId, address }: { agentId: string; address: string },
): Promise<{ ofAnotherAgent: boolean; fundedAnEntry: boolean }> {
  const [row] = await tx<[{ ofAnotherAgent: boolean; fundedAnEntry: boolean }]>`
    select
      exists (select 1 from agents where wallet_address = ${address} and wallet_proven and id <> ${agentId}) as "ofAnotherAgent",
      ${fundedAnEntry(tx, { agentId, address })} as "fundedAnEntry"`;
  return row;
}

/** Replaces any previous wallet of the agent. */
export async function setProvenWallet(
  tx: Tx,
  wallet: { agentId: string; address: string; now: Date },
): Promise<{ pendingMicro: number }> {
  const [row] = await tx<[{ pendingMicro: number }]>`
    update agents set wallet_address = ${wallet.address}, wallet_proven = true, wallet_linked_at = ${wallet.now}
    where id = ${wallet.agentId} returning pending_micro as "pendingMicro"`;
  return row;
}

/** Part of a statement: the agent's proven wallet as `wallet`, no row without one. By the primary key of agents. */
export const provenWallet = (db: Queryable, agentId: Fragment) => db`
  select wallet_address as wallet from agents where id = ${agentId} and wallet_proven`;
