import type { Tx } from '../context.ts';
import { followTiers } from '../webhooks/steps.ts';
import { type AgentResult, lockWallets, updateEarned, updateResults } from './result-queries.ts';

export type { AgentResult };

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
  await Promise.all([updateResults(tx, results), followTiers(tx, winners)]);
}

/** What was awarded has settled on chain. */
export async function recordEarned(tx: Tx, agentId: string, amountMicro: number): Promise<void> {
  await Promise.all([updateEarned(tx, agentId, amountMicro), followTiers(tx, [agentId])]);
}
