import type { agentOperations } from '../../../contract/agents/agents.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { newWalletMessage } from '../../keys/public.ts';
import { lockExistingAgent } from '../accounts/public.ts';
import { replaceChallenge } from './wallet-queries.ts';
import type { AgentCaller } from '../../ports/callers.ts';

type Operation = typeof agentOperations.challengeWallet;

/**
 * Returns an EIP-4361 message whose signature proves that the agent controls the wallet. The agent's earlier challenges
 * become invalid.
 */
export async function challengeWallet(
  ctx: Context<AgentCaller>,
  { body }: Input<Operation>,
): Promise<Output<Operation>> {
  const { agentId } = ctx.caller;
  const statement = `Link this wallet to the agent ${agentId} of ${ctx.config.serviceName}. The service pays the prizes of the agent to this wallet.`;
  const challenge = newWalletMessage(ctx, { address: body.address, statement });
  await withTransaction(ctx.db, async (tx) => {
    await lockExistingAgent(tx, agentId);
    await replaceChallenge(tx, { ...challenge, agentId });
  });
  const { message, address, expiresAt } = challenge;
  return { message, address, expiresAt };
}
