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
 * Tells the agent about its wallet, in the transaction of the change: in the event log, and at its own endpoint. Only
 * an endpoint that asked for `WALLET.CHANGE` gets it: older ones know `PROJECT.OPEN` only, and may fail at another type.
 * The retry lane sends it.
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
  const data = { address, effective_at: effectiveAt.toISOString() };
  const event =
    status === 'pending'
      ? ({ id, agent: agentId, type: 'WALLET.CHANGE_REQUESTED', data } as const)
      : ({ id, agent: agentId, type: 'WALLET.CHANGED', data: { status, ...data } } as const);
  // One round trip: a payment that links a wallet holds locks of its project and its accounts.
  await Promise.all([insertWalletEvent(tx, { id, agentId, body, at }), recordEvents(deps, tx, at, [event])]);
}
