import { DomainError } from '../../contract/basics/errors.ts';
import { holdsScope } from '../../contract/basics/operator-scope.ts';
import type { OperationSpec } from '../../contract/basics/operation.ts';
import type { OperatorCaller } from '../ports/callers.ts';

/** @throws DomainError OPERATOR_SCOPE if the operator's key may not do this */
export function requireOperatorScope(
  { name, scopes }: Pick<OperatorCaller, 'name' | 'scopes'>,
  { operatorScope: needed = 'admin' }: Pick<OperationSpec, 'operatorScope'>,
): void {
  if (holdsScope(scopes, needed)) return;
  throw new DomainError(
    'OPERATOR_SCOPE',
    name === null
      ? 'OPERATOR_KEY opens nothing while a named admin exists. Use your own key.'
      : `This request needs the scope ${needed}. Your key has: ${scopes.join(', ')}.`,
  );
}
