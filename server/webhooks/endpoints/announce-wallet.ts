import type { Deps } from '../../deps.ts';
import { insertWalletEvent } from './queries.ts';
import type { Tx } from '../../ports/database.ts';

/** An event in the life of an agent's wallet. */
export type WalletChange = {
  agentId: string;
  /**
   * `pending`: `address` takes effect at `effectiveAt`. `changed`: it has taken effect. `cancelled`: it will not.
   * `lost`: it now belongs to another agent.
   */
  status: 'pending' | 'changed' | 'cancelled' | 'lost';
  address: string;
  effectiveAt: Date;
  at: Date;
};

/**
 * Tells the agent's own endpoint about its wallet, in the transaction of the change. Only an endpoint that asked for
 * `WALLET.CHANGE` gets it: others know one event and may fail at a second. The retry lane sends it.
 */
export async function announceWallet(
  { newId }: Pick<Deps, 'newId'>,
  tx: Tx,
  { agentId, status, address, effectiveAt, at }: WalletChange,
): Promise<void> {
  const body = JSON.stringify({
    event: 'WALLET.CHANGE',
    timestamp: at.toISOString(),
    data: { wallet: { agent_id: agentId, status, address, effective_at: effectiveAt.toISOString() } },
  });
  await insertWalletEvent(tx, { id: newId(), agentId, body, at });
}
