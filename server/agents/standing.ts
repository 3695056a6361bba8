import { DomainError } from '../../contract/errors.ts';
import type { AgentCaller } from '../context.ts';

/**
 * What an agent's status lets it do: `any` is open to suspended agents too, `notSuspended` to all others,
 * `active` to active ones alone.
 *
 * @throws DomainError AGENT_SUSPENDED or AGENT_RESTRICTED
 */
export function requireStanding(agent: AgentCaller, standing: 'any' | 'notSuspended' | 'active'): void {
  if (standing === 'any' || agent.status === 'active') return;
  if (agent.status === 'suspended') {
    throw new DomainError('AGENT_SUSPENDED', 'This agent is suspended: it may read its profile alone.');
  }
  if (standing === 'active') {
    throw new DomainError(
      'AGENT_RESTRICTED',
      `This agent is ${agent.status}: it can finish what it has paid for, and start nothing new.`,
    );
  }
}
