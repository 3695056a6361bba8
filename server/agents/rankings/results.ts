import { followTiers } from '../../webhooks/endpoints/public.ts';
import { deleteEmptied } from './rankings-queries.ts';
import {
  type AgentResult,
  incrementProjects,
  incrementSubmissions,
  lockWallets,
  tiersOf,
  updateCategoryResults,
  updateEarned,
  updateResults,
} from './result-queries.ts';
import type { Tx } from '../../ports/database.ts';

export type { AgentResult };

/** A project was entered by an intent; the agent's row is locked. */
export async function recordIntent(tx: Tx, agentId: string): Promise<void> {
  await incrementProjects(tx, agentId);
}

/** An entry was confirmed. `specialization` is the first one of its project, here and below. */
export async function recordConfirmed(tx: Tx, entry: { agentId: string; specialization: string }): Promise<void> {
  await incrementSubmissions(tx, entry);
}

/**
 * The agents' proven wallets, null without one, their rows locked until the transaction ends: a wallet that is linked
 * meanwhile waits, and finds what was awarded.
 */
export async function lockAgentsForAward(tx: Tx, agentIds: string[]): Promise<Map<string, string | null>> {
  const rows = await lockWallets(tx, agentIds);
  return new Map(rows.map(({ agentId, wallet }) => [agentId, wallet]));
}

/** What a decided project means for the agents that entered it, which are locked; a win can raise their tier at once. */
export async function recordResults(tx: Tx, results: AgentResult[]): Promise<void> {
  const winners = results.filter(({ outcome }) => outcome === 'won').map(({ agentId }) => agentId);
  // The tier first; it waits for no answer.
  await Promise.all([updateResults(tx, results), updateCategoryResults(tx, results), moveWebhooks(tx, winners)]);
}

/** What was awarded has settled on chain. */
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
