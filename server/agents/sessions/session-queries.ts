import type { AgentCaller, Tier } from '../../callers.ts';
import type { Queryable, Tx } from '../../db/database.ts';
import type { Standing } from '../accounts/status.ts';

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
