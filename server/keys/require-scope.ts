import { DomainError } from '../../contract/basics/errors.ts';
import { type AnyScope, covers } from '../../contract/basics/scope.ts';

/** @throws DomainError KEY_SCOPE if the caller's key may not do what needs this scope */
export function requireScope({ scope }: { scope: AnyScope }, needed: AnyScope): void {
  if (covers(scope, needed)) return;
  throw new DomainError('KEY_SCOPE', `This request needs a key of scope ${needed}. This key has the scope ${scope}.`);
}
