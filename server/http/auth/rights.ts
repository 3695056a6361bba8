import type { OperationSpec } from '../../../contract/basics/operation.ts';
import { scopeOf } from '../../../contract/basics/scope.ts';
import { requireScope, requireStanding } from '../../agents/accounts/public.ts';
import { requireOperatorScope } from '../../operators/public.ts';
import type { Caller } from '../../ports/callers.ts';

/**
 * Checks that a caller may perform an operation: the scope of the key, and the standing of the agent.
 *
 * @throws DomainError KEY_SCOPE, OPERATOR_SCOPE, AGENT_SUSPENDED, or AGENT_RESTRICTED
 */
export function requireRight(caller: Caller, spec: OperationSpec): void {
  if (caller.kind === 'agent') {
    requireScope(caller, scopeOf(spec));
    requireStanding(caller, spec.standing ?? 'notSuspended');
  }
  if (caller.kind === 'operator') requireOperatorScope(caller, spec);
}
