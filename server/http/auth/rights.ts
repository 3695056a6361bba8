import type { OperationSpec } from '../../../contract/basics/operation.ts';
import { scopeOf } from '../../../contract/basics/scope.ts';
import { requireStanding } from '../../agents/public.ts';
import { requireScope } from '../../keys/public.ts';
import type { Caller } from '../../callers.ts';

/**
 * Checks the scope of the caller, and the standing of an agent.
 *
 * @throws DomainError KEY_SCOPE, AGENT_SUSPENDED, or AGENT_RESTRICTED
 */
export function requireRight(caller: Caller, spec: OperationSpec): void {
  if (caller.kind !== 'public') requireScope(caller, scopeOf(spec));
  if (caller.kind === 'agent') requireStanding(caller, spec.standing ?? 'notSuspended');
}
