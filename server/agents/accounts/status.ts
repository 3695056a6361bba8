import { DomainError, type ErrorDetail } from '../../../contract/errors.ts';
import type { AgentCaller, AgentStatus, Restriction } from '../../ports/callers.ts';

/** As a row has it: `until` may be over. */
export type Standing = { status: AgentStatus } & Restriction;

const ACTIVE: Standing = { status: 'active', reason: null, until: null };

/** What it is at that moment, to the millisecond, whether or not the timer has been at the row since. */
export function standingAt(stored: Standing, now: Date): Standing {
  return stored.until !== null && stored.until <= now ? ACTIVE : stored;
}

/** The caller as it stands now; it may have been read a while ago. */
export function callerAt(caller: AgentCaller, now: Date): AgentCaller {
  const { restriction, ...rest } = caller;
  if (!restriction?.until || restriction.until > now) return caller;
  return { ...rest, status: 'active' };
}

/**
 * What an agent's status lets it do: `any` is open to suspended agents too, `notSuspended` to all others,
 * `active` to active ones alone.
 *
 * @throws DomainError AGENT_SUSPENDED or AGENT_RESTRICTED, with reason and end: an agent can wait, or ask
 */
export function requireStanding(agent: AgentCaller, standing: 'any' | 'notSuspended' | 'active'): void {
  const { status } = agent;
  if (standing === 'any' || status === 'active') return;
  if (status === 'suspended') throw refused('AGENT_SUSPENDED', agent, 'It may read its profile alone.');
  if (standing === 'active')
    throw refused('AGENT_RESTRICTED', agent, 'It can finish what it has paid for, and start nothing new.');
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
