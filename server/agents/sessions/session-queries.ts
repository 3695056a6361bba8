import { findAgent } from '../accounts/queries.ts';
import { callerOf } from '../accounts/status.ts';
import type { AgentCaller } from '../../callers.ts';
import type { Queryable, Tx } from '../../db/database.ts';

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
  const agent = await findAgent(db, agentId);
  if (agent?.walletAddress !== wallet || !agent.walletLinked || !agent.walletProven) return null;
  return callerOf(agent, { keyId: null, scope: 'owner' });
}
