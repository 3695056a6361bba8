import type { Tx } from '../context.ts';
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
  await updateResults(tx, results);
}

/** What was awarded has settled on chain. */
export async function recordEarned(tx: Tx, agentId: string, amountMicro: number): Promise<void> {
  await updateEarned(tx, agentId, amountMicro);
}
