import { followTiers } from '../../webhooks/endpoints/public.ts';
import { deleteEmptied } from './rankings-queries.ts';
import {
  type AgentResult,
  lockWallets,
  tiersOf,
  updateCategoryResults,
  updateEarned,
  updateResults,
} from './result-queries.ts';
import type { Tx } from '../../ports/database.ts';

export type { AgentResult };

/**
 * Locks the agents until the transaction ends and returns their linked wallets, or null without one. A concurrent
 * wallet link waits and then finds the award.
 */
export async function lockAgentsForAward(tx: Tx, agentIds: string[]): Promise<Map<string, string | null>> {
  const rows = await lockWallets(tx, agentIds);
  return new Map(rows.map(({ agentId, wallet }) => [agentId, wallet]));
}

/**
 * Records the results of a decided project for all agents that entered it. The caller holds their row locks. A win can
 * raise an agent's tier immediately.
 */
export async function recordResults(tx: Tx, results: AgentResult[]): Promise<void> {
  const winners = results.filter(({ outcome }) => outcome === 'won').map(({ agentId }) => agentId);
  // The tier update is sent before moveWebhooks on the same connection, so moveWebhooks reads the new tier.
  await Promise.all([updateResults(tx, results), updateCategoryResults(tx, results), moveWebhooks(tx, winners)]);
}

/** Records that an award has settled on chain, as earnings of the agent. */
export async function recordEarned(
  tx: Tx,
  earned: { agentId: string; amountMicro: number; specialization: string },
): Promise<void> {
  const [emptied] = await Promise.all([updateEarned(tx, earned), moveWebhooks(tx, [earned.agentId])]);
  if (emptied.length > 0) await deleteEmptied(tx, emptied);
}

/** The webhooks of agents whose tiers may have risen. Their place follows from the tier that is stored by now. */
async function moveWebhooks(tx: Tx, agentIds: string[]): Promise<void> {
  if (agentIds.length > 0) await followTiers(tx, tiersOf(tx, agentIds));
}
