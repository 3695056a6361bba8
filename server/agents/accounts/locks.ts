import type { Fragment } from 'postgres';
import { DomainError } from '../../../contract/errors.ts';
import type { Deps } from '../../deps.ts';
import { listKeysOf, lockAgent, type LockedAgent, lockWallet, proveWallet } from './queries.ts';
import type { Tx } from '../../ports/database.ts';

export function agentNotFound(): DomainError {
  return new DomainError('AGENT_NOT_FOUND', 'Agent not found.');
}

/** After a change of what its keys stand for: the next request in this process reads it anew. */
export async function forgetKeysOf({ db, agentKeys }: Pick<Deps, 'db' | 'agentKeys'>, agentId: string): Promise<void> {
  for (const { id } of await listKeysOf(db, agentId)) agentKeys.forget(id);
}

/**
 * The agent as it is now, its row locked until the transaction ends: what counts or changes things of one agent goes
 * one after the other.
 */
export async function lockAgentForEntry(tx: Tx, agentId: string): Promise<LockedAgent> {
  const agent = await lockAgent(tx, agentId);
  if (!agent) throw agentNotFound();
  return agent;
}

/** The same; the id may be looked up by the locking statement itself. Null when there is no such agent. */
export async function lockAgentOf(tx: Tx, agentId: string | Fragment): Promise<LockedAgent | null> {
  return await lockAgent(tx, agentId);
}

/**
 * After a settled entry fee, in the transaction that books it: whoever paid the agent's first one is its wallet, unless
 * the agent declared another, or that wallet is already proven for another agent, or it funded a project that the agent
 * has entered: its prize would go back to who gave it. Never fails the booking for that.
 * Its statements go out together: who needs no answer need not wait for one.
 *
 * @param agent locked, as by an intent: what it enters at the same time is seen here, or sees the wallet
 * @returns whether the wallet was linked now
 */
export async function linkFirstWallet(
  tx: Tx,
  agent: LockedAgent,
  { agentId, payer, now }: { agentId: string; payer: string; now: Date },
): Promise<boolean> {
  if (agent.walletProven || (agent.walletAddress !== null && agent.walletAddress !== payer)) return false;
  // Two agents can book a first fee of one wallet at once. A violated unique index would undo a booking; waiting does not.
  const [, proven] = await Promise.all([lockWallet(tx, payer), proveWallet(tx, { agentId, address: payer, now })]);
  return proven;
}
