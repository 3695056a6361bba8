import type { WalletMessage } from '../../keys/public.ts';
import type { AgentCaller, Tier } from '../../ports/callers.ts';
import type { Queryable, Tx } from '../../ports/database.ts';
import type { Standing } from '../accounts/public.ts';

export type SessionRow = {
  id: string;
  agentId: string;
  keyId: string | null;
  wallet: string | null;
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
    // Index agent_sign_in_challenges_expiry.
    tx`
      delete from agent_sign_in_challenges where nonce in (
        select nonce from agent_sign_in_challenges where expires_at <= ${createdAt}
        order by expires_at limit ${EXPIRED_AT_ONCE} for update skip locked)`,
    tx`
      insert into agent_sign_in_challenges (nonce, address, message, created_at, expires_at)
      values (${nonce}, ${address}, ${message}, ${createdAt}, ${expiresAt})`,
  ]);
}

export async function findChallenge(db: Queryable, nonce: string): Promise<WalletMessage | null> {
  const [row] = await db<WalletMessage[]>`
    select nonce, address, message, created_at as "createdAt", expires_at as "expiresAt"
    from agent_sign_in_challenges where nonce = ${nonce}`;
  return row ?? null;
}

/** Returns false if the challenge was used or deleted in the meantime. */
export async function useChallenge(tx: Tx, nonce: string): Promise<boolean> {
  const { count } = await tx`delete from agent_sign_in_challenges where nonce = ${nonce}`;
  return count === 1;
}

/** Returns the agent that proved this wallet, or null. Index agents_linked_wallet. */
export async function findProvenOwner(tx: Tx, wallet: string): Promise<{ agentId: string; name: string } | null> {
  const [row] = await tx<{ agentId: string; name: string }[]>`
    select id as "agentId", name from agents
    where wallet_address = ${wallet} and wallet_linked_at is not null and wallet_proven`;
  return row ?? null;
}

/** Returns the agent as a caller with the scope of its owner, if this is still its proven wallet. */
export async function findWalletHolder(
  db: Queryable,
  { agentId, wallet }: { agentId: string; wallet: string },
): Promise<AgentCaller | null> {
  const [row] = await db<(Standing & { tier: Tier })[]>`
    select tier, status, status_reason as reason, status_until as until from agents
    where id = ${agentId} and wallet_address = ${wallet} and wallet_linked_at is not null and wallet_proven`;
  if (!row) return null;
  const { tier, status, reason, until } = row;
  const restriction = status === 'active' ? {} : { restriction: { reason, until } };
  return { kind: 'agent', agentId, keyId: null, scope: 'owner', tier, status, ...restriction };
}

export async function findAgentName(db: Queryable, agentId: string): Promise<string> {
  const [row] = await db<[{ name: string }]>`select name from agents where id = ${agentId}`;
  return row.name;
}

/**
 * Stores a session. Keeps at most `keep` sessions of the agent by deleting the oldest, and deletes expired sessions of
 * others.
 */
export async function insertSession(tx: Tx, session: SessionRow & { secretHash: string }, keep: number): Promise<void> {
  const { id, agentId, keyId, wallet, secretHash, createdAt, expiresAt } = session;
  await Promise.all([
    // Index agent_sessions_agent.
    tx`
      delete from agent_sessions where id in (
        select id from agent_sessions where agent_id = ${agentId} order by created_at desc, id offset ${keep - 1})`,
    // Index agent_sessions_expiry.
    tx`
      delete from agent_sessions where id in (
        select id from agent_sessions where expires_at <= ${createdAt}
        order by expires_at limit ${EXPIRED_AT_ONCE} for update skip locked)`,
    tx`
      insert into agent_sessions (id, agent_id, key_id, wallet_address, secret_hash, created_at, expires_at)
      values (${id}, ${agentId}, ${keyId}, ${wallet}, decode(${secretHash}, 'hex'), ${createdAt}, ${expiresAt})`,
  ]);
}

/** Reads by primary key. */
export async function findSession(db: Queryable, id: string): Promise<(SessionRow & { secretHash: string }) | null> {
  const [row] = await db<(SessionRow & { secretHash: string })[]>`
    select ${sessionColumns(db)}, encode(secret_hash, 'hex') as "secretHash" from agent_sessions where id = ${id}`;
  return row ?? null;
}

/** Returns the sessions that have not expired, newest first. Index agent_sessions_agent. */
export async function listSessions(db: Queryable, agentId: string, now: Date): Promise<SessionRow[]> {
  return await db<SessionRow[]>`
    select ${sessionColumns(db)} from agent_sessions where agent_id = ${agentId} and expires_at > ${now}
    order by created_at desc, id`;
}

function sessionColumns(db: Queryable) {
  return db`
    id, agent_id as "agentId", key_id as "keyId", wallet_address as wallet, created_at as "createdAt",
    expires_at as "expiresAt"`;
}

/** Extends a session that has not expired. Never shortens it. */
export async function extendSession(
  db: Queryable,
  { id, now, expiresAt }: { id: string; now: Date; expiresAt: Date },
): Promise<void> {
  await db`
    update agent_sessions set expires_at = ${expiresAt}
    where id = ${id} and expires_at > ${now} and expires_at < ${expiresAt}`;
}

/** Deletes the agent's sessions, only one, or only those of a key, and returns the ids of those that had not expired. */
export async function endSessions(
  db: Queryable,
  { agentId, only, ofKey, now }: { agentId: string; only: string | null; ofKey: string | null; now: Date },
): Promise<string[]> {
  const rows = await db<{ id: string; running: boolean }[]>`
    delete from agent_sessions where agent_id = ${agentId} and (${only}::text is null or id = ${only})
      and (${ofKey}::text is null or key_id = ${ofKey})
    returning id, expires_at > ${now} as running`;
  return rows.filter(({ running }) => running).map(({ id }) => id);
}
