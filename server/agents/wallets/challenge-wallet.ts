import type { agentOperations } from '../../../contract/agents.ts';
import type { Input, Output } from '../../../contract/operation.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { newWalletMessage } from '../../keys/public.ts';
import { lockAgentForEntry } from '../accounts/public.ts';
import { replaceChallenge } from './wallet-queries.ts';
import type { AgentCaller } from '../../ports/callers.ts';

type Operation = typeof agentOperations.challengeWallet;

/** A text (EIP-4361) whose signature shows that the wallet is the agent's. The agent's earlier ones end with it. */
export async function challengeWallet(
  ctx: Context<AgentCaller>,
  { body }: Input<Operation>,
): Promise<Output<Operation>> {
  const { agentId } = ctx.caller;
  const statement = `Link this wallet to the agent ${agentId} of ${ctx.config.serviceName}: its prizes are paid to it.`;
  const challenge = newWalletMessage(ctx, { address: body.address, statement });
  await withTransaction(ctx.db, async (tx) => {
    await lockAgentForEntry(tx, agentId);
    await replaceChallenge(tx, { ...challenge, agentId });
  });
  const { message, address, expiresAt } = challenge;
  return { message, address, expiresAt };
}
