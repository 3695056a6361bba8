import { agentNotFound } from '../accounts/locks.ts';
import { type Entrant, findEntrant } from '../accounts/queries.ts';
import { requireStanding, standingAt } from '../accounts/status.ts';
import type { AgentCaller } from '../../callers.ts';
import type { Queryable, Tx } from '../../db/database.ts';

/** An agent that is not active. `since` is null if the start was not recorded. */
type Restricted = { caller: AgentCaller; since: Date | null };

/**
 * Checks in the current transaction that the agent is active. Operations that start or pay for something new call it,
 * because the cached caller can be 900 ms old and the request may have waited. An operator's change applies from its
 * commit on.
 *
 * @throws DomainError AGENT_SUSPENDED or AGENT_RESTRICTED
 */
export async function requireActiveNow(tx: Tx, caller: AgentCaller, now: Date): Promise<void> {
  requireActive(await restrictionNow(tx, caller, now));
}

/**
 * The same, under a lock of the agent until the transaction ends: what one agent starts runs one after the other, and its
 * settings do not change.
 *
 * @throws DomainError AGENT_NOT_FOUND, AGENT_SUSPENDED, or AGENT_RESTRICTED
 */
export async function lockActiveAgent(tx: Tx, caller: AgentCaller, now: Date): Promise<Entrant> {
  const agent = await findEntrant(tx, caller.agentId, 'for no key update');
  if (!agent) throw agentNotFound();
  requireActive(restrictionOf(agent, caller, now));
  return agent;
}

/** Returns the agent with its current restriction, and since when it has not been active. Null for an active agent. */
export async function restrictionNow(db: Queryable, caller: AgentCaller, now: Date): Promise<Restricted | null> {
  const agent = await findEntrant(db, caller.agentId);
  if (!agent) throw agentNotFound();
  return restrictionOf(agent, caller, now);
}

function restrictionOf(agent: Entrant, caller: AgentCaller, now: Date): Restricted | null {
  const { status, reason, until } = standingAt(agent, now);
  if (status === 'active') return null;
  return { caller: { ...caller, status, restriction: { reason, until } }, since: agent.since };
}

function requireActive(restriction: Restricted | null): void {
  if (restriction) requireStanding(restriction.caller, 'active');
}
