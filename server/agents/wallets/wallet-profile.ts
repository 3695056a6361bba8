import type { agentOperations } from '../../../contract/agents.ts';
import { usdcNumber } from '../../../contract/money.ts';
import type { Output } from '../../../contract/operation.ts';
import type { Context } from '../../deps.ts';
import type { AgentCaller } from '../../ports/callers.ts';

type Wallet = { walletAddress: string | null; walletProven: boolean; pendingMicro: number };

/** The agent's wallet as its profile shows it, its balance asked of the chain, or not older than 30 s. */
export async function walletBlock(
  ctx: Context<AgentCaller>,
  { walletAddress, walletProven, pendingMicro }: Wallet,
): Promise<Output<typeof agentOperations.getMe>['wallet']> {
  const { balanceMicro, stale } = walletAddress
    ? await ctx.balances.balance(walletAddress)
    : { balanceMicro: 0, stale: false };
  return {
    address: walletAddress,
    proven: walletProven,
    // An old figure next to a fresh one would be taken for it.
    balance: balanceMicro === null || stale ? null : usdcNumber(balanceMicro),
    balance_stale: stale,
    currency: 'USDC',
    pendingEarnings: usdcNumber(pendingMicro),
    minBalance: ctx.config.minWalletBalance,
  };
}
