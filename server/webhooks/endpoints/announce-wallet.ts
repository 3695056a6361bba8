import type { Deps } from '../../deps.ts';
import { recordEvents } from '../../events/public.ts';
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
 * Tells the agent about its wallet, in the transaction of the change: in the event log, and at its own endpoint. Only an endpoint that asked for
 * `WALLET.CHANGE` gets it: others know one event and may fail at a second. The retry lane sends it.
 */
export async function announceWallet(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { agentId, status, address, effectiveAt, at }: WalletChange,
): Promise<void> {
  const body = JSON.stringify({
    event: 'WALLET.CHANGE',
    timestamp: at.toISOString(),
    data: { wallet: { agent_id: agentId, status, address, effective_at: effectiveAt.toISOString() } },
  });
  const id = deps.newId();
  await insertWalletEvent(tx, { id, agentId, body, at });
  const data = { address, effective_at: effectiveAt.toISOString() };
  await recordEvents(deps, tx, at, [
    status === 'pending'
      ? { id, agent: agentId, type: 'WALLET.CHANGE_REQUESTED', data }
      : { id, agent: agentId, type: 'WALLET.CHANGED', data: { status, ...data } },
  ]);
}
