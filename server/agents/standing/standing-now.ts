import { requireStanding, standingAt, agentNotFound } from '../accounts/public.ts';
import { findStanding } from './queries.ts';
import type { AgentCaller } from '../../ports/callers.ts';
import type { Tx } from '../../ports/database.ts';

/**
 * Checks in the current transaction that the agent is active. Operations that start or pay for something new call it,
 * because the cached caller can be 900 ms old and the request may have waited. An operator's change applies from its
 * commit on.
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
