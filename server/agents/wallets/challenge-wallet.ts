import type { agentOperations } from '../../../contract/agents/agents.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { createChallenge } from '../../keys/public.ts';
import type { AgentCaller } from '../../callers.ts';

type Operation = typeof agentOperations.challengeWallet;

/**
 * Returns an EIP-4361 message whose signature proves that the agent controls the wallet. The agent's earlier challenges
 * become invalid.
 */
export async function challengeWallet(
  ctx: Context<AgentCaller>,
  { body: { address } }: Input<Operation>,
): Promise<Output<Operation>> {
  const { agentId } = ctx.caller;
  const statement = `Link this wallet to the agent ${agentId} of ${ctx.config.serviceName}. The service pays the prizes of the agent to this wallet.`;
  return await createChallenge(ctx, { purpose: `link:${agentId}`, address, statement });
}
