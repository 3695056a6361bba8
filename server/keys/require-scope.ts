import { DomainError } from '../../contract/basics/errors.ts';
import { type AnyScope, covers } from '../../contract/basics/scope.ts';

/** @throws DomainError KEY_SCOPE if the caller may not do what needs this scope */
export function requireScope({ kind, scope }: { kind: string; scope: AnyScope }, needed: AnyScope): void {
  if (covers(scope, needed)) return;
  throw new DomainError(
    'KEY_SCOPE',
    kind === 'operator'
      ? `This request changes something, and you may only read. Ask for the right \`${needed}\` at your identity provider.`
      : `This request needs a key of scope ${needed}. This key has the scope ${scope}.`,
  );
}
