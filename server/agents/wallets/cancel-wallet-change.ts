import type { agentOperations } from '../../../contract/agents/agents.ts';
import { DomainError } from '../../../contract/basics/errors.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { lockExistingAgent } from '../accounts/locks.ts';
import { dropPendingWallet } from './change-wallet.ts';
import { walletProfile } from './wallet-profile.ts';
import type { AgentCaller } from '../../callers.ts';

type Operation = typeof agentOperations.cancelWalletChange;

/** Cancels the pending change of the agent's wallet. Once the change has taken effect, there is nothing to cancel. */
export async function cancelWalletChange(
  ctx: Context<AgentCaller>,
  _input: Input<Operation>,
): Promise<Output<Operation>> {
  const { agentId } = ctx.caller;
  const wallet = await withTransaction(ctx.db, async (tx) => {
    const { pendingWallet: address } = await lockExistingAgent(tx, agentId);
    if (address === null) throw new DomainError('NOT_FOUND', 'No change of the wallet is pending.');
    const reason = 'canceled by the agent';
    return await dropPendingWallet(ctx, tx, {
      agentId,
      address,
      actor: `agent:${agentId}`,
      reason,
      at: ctx.clock.now(),
    });
  });
  return { wallet: await walletProfile(ctx, wallet) };
}
