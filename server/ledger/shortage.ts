import type { LedgerCheckRow } from './check-queries.ts';
import { mustWait } from './recovery-state.ts';

const SHORT = {
  reason:
    'the treasury holds less USDC on chain than the service owes, so it takes no money until its operator has repaired that',
  retryAfterSeconds: 300,
};

/** Whether a check found less USDC on chain than the books and the payments in flight say. */
export function isShort(check: Pick<LedgerCheckRow, 'chainMicro' | 'owedMicro'> | null): boolean {
  return check !== null && check.chainMicro !== null && check.owedMicro !== null && check.chainMicro < check.owedMicro;
}

/** A treasury that is short takes no money. @throws DomainError INTERNAL_ERROR (503) */
export function requireSolvent(check: LedgerCheckRow | null): void {
  if (isShort(check)) throw mustWait(SHORT, 'Nothing was charged');
}
