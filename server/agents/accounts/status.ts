import { DomainError, type ErrorDetail } from '../../../contract/basics/errors.ts';
import type { AgentCaller, AgentStatus, Restriction, Tier } from '../../callers.ts';

/** An agent's status as stored. `until` may be in the past. */
export type Standing = { status: AgentStatus } & Restriction;

const ACTIVE: Standing = { status: 'active', reason: null, until: null };

/**
 * Returns the standing at this time. A restriction ends exactly at `until`, even if the timer has not updated the row
 * yet.
 */
export function standingAt(stored: Standing, now: Date): Standing {
  return stored.until !== null && stored.until <= now ? ACTIVE : stored;
}

/** Returns an agent as a caller. */
export function callerOf(
  { id: agentId, tier, status, reason, until }: Standing & { id: string; tier: Tier },
  key: Pick<AgentCaller, 'keyId' | 'scope'>,
): AgentCaller {
  const restriction = status === 'active' ? {} : { restriction: { reason, until } };
  return { kind: 'agent', agentId, ...key, tier, status, ...restriction };
}

/** Returns the caller with the status that applies now. A cached caller can be up to 900 ms old. */
export function callerAt(caller: AgentCaller, now: Date): AgentCaller {
  const until = caller.restriction?.until;
  if (!until || until > now) return caller;
  const { restriction: _over, ...rest } = caller;
  return { ...rest, status: 'active' };
}

/**
 * Checks that the agent's status allows an operation: `any` allows every agent, `notSuspended` excludes suspended
 * agents, `active` allows only active agents.
 *
 * @throws DomainError AGENT_SUSPENDED or AGENT_RESTRICTED, with the reason and the end of the restriction, so that the
 * agent can wait or ask the operator
 */
export function requireStanding(agent: AgentCaller, standing: 'any' | 'notSuspended' | 'active'): void {
  const { status } = agent;
  if (standing === 'any' || status === 'active') return;
  if (status === 'suspended') throw refused('AGENT_SUSPENDED', agent, 'It can only read its profile.');
  if (standing === 'active')
    throw refused(
      'AGENT_RESTRICTED',
      agent,
      'It can finish entries that it paid for, and free ones that it uploaded before. It cannot start new ones.',
    );
}

function refused(code: 'AGENT_SUSPENDED' | 'AGENT_RESTRICTED', agent: AgentCaller, allowed: string): DomainError {
  const { reason = null, until = null } = agent.restriction ?? {};
  const name = agent.status.replace('_', ' ');
  const details: ErrorDetail[] = [
    { field: 'status', message: agent.status },
    ...(reason === null ? [] : [{ field: 'reason', message: reason }]),
    ...(until === null ? [] : [{ field: 'until', message: until.toISOString() }]),
  ];
  const end = until === null ? '' : ` until ${until.toISOString()}`;
  const why = reason === null ? '' : ` Reason: ${reason}`;
  return new DomainError(code, `This agent is ${name}${end}. ${allowed}${why}`, { details });
}
