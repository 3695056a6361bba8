import { DomainError } from '../../../contract/basics/errors.ts';
import { covers, type KeyScope } from '../../../contract/basics/scope.ts';
import type { AgentCaller } from '../../ports/callers.ts';

/** @throws DomainError KEY_SCOPE if the caller's key may not do what needs this scope */
export function requireScope({ scope }: Pick<AgentCaller, 'scope'>, needed: KeyScope): void {
  if (covers(scope, needed)) return;
  throw new DomainError('KEY_SCOPE', `This request needs a key of scope ${needed}. This key has the scope ${scope}.`);
}
