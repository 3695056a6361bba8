import type { Deps } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { dropPendingWallet, lockForWallet, proveWallet } from './change-wallet.ts';
import { findWalletObstacles, listDueChanges } from './wallet-queries.ts';
import type { Tx } from '../../db/database.ts';

const BATCH = 50;

type WalletDeps = Pick<Deps, 'db' | 'clock' | 'newId'>;

/**
 * Puts pending wallets in the place of linked ones once their wait is over. Any number of processes can run it: the agent's
 * lock lets one of them make the change. Until then, and during a suspension, prizes go to the old wallet.
 */
export async function applyWalletChanges(deps: WalletDeps, stopping?: AbortSignal): Promise<void> {
  for (;;) {
    const due = await listDueChanges(deps.db, deps.clock.now(), BATCH);
    for (const change of due) {
      if (stopping?.aborted) return;
      await withTransaction(deps.db, (tx) => apply(deps, tx, change));
    }
    if (due.length < BATCH) return;
  }
}

async function apply(
  deps: WalletDeps,
  tx: Tx,
  { agentId, address }: { agentId: string; address: string },
): Promise<void> {
  const agent = await lockForWallet(tx, { agentId, address });
  const at = deps.clock.now();
  // The change may have been canceled or replaced meanwhile, or another process has made it.
  if (agent.pendingWallet !== address || agent.pendingWalletAt === null || agent.pendingWalletAt > at) return;
  if (agent.status === 'suspended') return;
  const { ofAnotherAgent, fundedAnEntry } = await findWalletObstacles(tx, { agentId, address });
  if (!ofAnotherAgent && !fundedAnEntry) {
    await proveWallet(deps, tx, { agentId, address, agent, actor: 'timer', at });
    return;
  }
  const reason = ofAnotherAgent
    ? 'the wallet is linked to another agent by now'
    : 'the wallet funded a project that the agent has entered';
  await dropPendingWallet(deps, tx, { agentId, address, actor: 'timer', reason, at });
}
