import { requireStanding, standingAt, agentNotFound } from '../accounts/public.ts';
import { findStanding } from './queries.ts';
import type { AgentCaller } from '../../ports/callers.ts';
import type { Tx } from '../../ports/database.ts';

/**
 * For who starts or pays something new, in the transaction that writes it: what was remembered of the caller may be 900 ms
 * old, and a request may have waited since. What an operator has said holds from its commit on.
 *
 * @throws DomainError AGENT_SUSPENDED or AGENT_RESTRICTED
 */
export async function requireActiveNow(tx: Tx, caller: AgentCaller, now: Date): Promise<void> {
  const stored = await findStanding(tx, caller.agentId);
  if (!stored) throw agentNotFound();
  const { status, reason, until } = standingAt(stored, now);
  if (status === 'active') return;
  const restricted: AgentCaller = { ...caller, status, restriction: { reason, until } };
  requireStanding(restricted, 'active');
}
