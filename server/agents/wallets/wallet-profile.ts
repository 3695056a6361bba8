import type { agentOperations } from '../../../contract/agents/agents.ts';
import { usdcNumber } from '../../../contract/basics/money.ts';
import type { Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import type { AgentCaller } from '../../callers.ts';
import type { AgentRow } from '../accounts/queries.ts';

export type Wallet = Pick<
  AgentRow,
  'walletAddress' | 'walletLinked' | 'walletProven' | 'pendingWallet' | 'pendingWalletAt'
> & { pendingMicro: number };

/** Returns the wallet part of the agent's own profile. The balance comes from the chain; `stale` says if it may be
 * older than 30 s. */
export async function walletProfile(
  ctx: Context<AgentCaller>,
  { walletAddress, walletLinked, walletProven, pendingWallet, pendingWalletAt, pendingMicro }: Wallet,
): Promise<Output<typeof agentOperations.getMe>['wallet']> {
  const { balanceMicro, stale } = walletAddress
    ? await ctx.balances.balance(walletAddress)
    : { balanceMicro: 0, stale: false };
  return {
    address: walletAddress,
    linked: walletLinked,
    proven: walletProven,
    pending: pendingChange({ pendingWallet, pendingWalletAt }),
    balance: balanceMicro === null ? null : usdcNumber(balanceMicro),
    balance_stale: stale,
    currency: 'USDC',
    pendingEarnings: usdcNumber(pendingMicro),
    minBalance: ctx.config.minWalletBalance,
  };
}

/** Returns the change of a linked wallet that waits, or null. */
export function pendingChange({
  pendingWallet: address,
  pendingWalletAt: at,
}: Pick<Wallet, 'pendingWallet' | 'pendingWalletAt'>): { address: string; effective_at: Date } | null {
  return address === null || at === null ? null : { address, effective_at: at };
}
