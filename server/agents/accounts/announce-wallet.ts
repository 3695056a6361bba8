import type { Deps } from '../../deps.ts';
import { recordEvents } from '../../events/public.ts';
import type { Tx } from '../../db/database.ts';

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

/** Tells the agent about its wallet, in the transaction of the change. */
export async function announceWallet(
  deps: Pick<Deps, 'newId'>,
  tx: Tx,
  { agentId: agent, status, address, effectiveAt, at }: WalletChange,
): Promise<void> {
  const data = { address, effective_at: effectiveAt.toISOString() };
  await recordEvents(deps, tx, at, [
    status === 'pending'
      ? { agent, type: 'WALLET.CHANGE_REQUESTED', data }
      : { agent, type: 'WALLET.CHANGED', data: { status, ...data } },
  ]);
}
