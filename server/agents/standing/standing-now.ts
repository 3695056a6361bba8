import { requireStanding, standingAt } from '../accounts/status.ts';
import { requireAgent } from '../accounts/locks.ts';
import type { AgentCaller } from '../../callers.ts';
import type { Queryable, Tx } from '../../db/database.ts';

/**
 * Checks in the current transaction that the agent is active. Operations that start or pay for something new call it,
 * because the cached caller can be 900 ms old and the request may have waited. An operator's change applies from its
 * commit on.
 *
 * @throws DomainError AGENT_SUSPENDED or AGENT_RESTRICTED
 */
export async function requireActiveNow(tx: Tx, caller: AgentCaller, now: Date): Promise<void> {
  const restriction = await restrictionNow(tx, caller, now);
  if (restriction) requireStanding(restriction.caller, 'active');
}

/**
 * Returns the agent with its current restriction, and since when it has not been active. Null for an active agent.
 * `since` is null if the start was not recorded.
 */
export async function restrictionNow(
  db: Queryable,
  caller: AgentCaller,
  now: Date,
): Promise<{ caller: AgentCaller; since: Date | null } | null> {
  const stored = await requireAgent(db, caller.agentId);
  const { status, reason, until } = standingAt(stored, now);
  if (status === 'active') return null;
  return { caller: { ...caller, status, restriction: { reason, until } }, since: stored.since };
}
