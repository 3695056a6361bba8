import { DomainError } from '../../contract/errors.ts';
import type { Tx } from '../context.ts';
import { lockAgent, type LockedAgent, lockWallet, proveWallet } from './queries.ts';

export function agentNotFound(): DomainError {
  return new DomainError('AGENT_NOT_FOUND', 'Agent not found.');
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

/**
 * After a settled entry fee, in the transaction that books it: whoever paid the agent's first one is its wallet, unless
 * the agent declared another, or that wallet is already proven for another agent, or it funded a project that the agent
 * has entered: its prize would go back to who gave it. Never fails the booking for that.
 *
 * @returns whether the wallet was linked now
 */
export async function linkFirstWallet(tx: Tx, link: { agentId: string; payer: string; now: Date }): Promise<boolean> {
  // Locked, as by an intent: what the agent enters at the same time is seen here, or sees the wallet.
  const agent = await lockAgentForEntry(tx, link.agentId);
  if (agent.walletProven || (agent.walletAddress !== null && agent.walletAddress !== link.payer)) return false;
  // Two agents can book a first fee of one wallet at once. A violated unique index would undo a booking; waiting does not.
  await lockWallet(tx, link.payer);
  return await proveWallet(tx, { agentId: link.agentId, address: link.payer, now: link.now });
}
