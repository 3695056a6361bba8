import { type LedgerCheckRow, newestCheck } from './check-queries.ts';
import { mustWait } from './recovery-state.ts';
import type { Queryable } from '../db/database.ts';

const SHORT = {
  reason:
    'the treasury holds less USDC on chain than the service owes, so it takes no money until its operator has repaired that',
  retryAfterSeconds: 300,
};

/** Whether a check found less USDC on chain than the books and the payments in flight say. */
export function isShort(check: Pick<LedgerCheckRow, 'chainMicro' | 'owedMicro'> | null): boolean {
  return check !== null && check.chainMicro !== null && check.owedMicro !== null && check.chainMicro < check.owedMicro;
}

/** Whoever cannot pay out does not take in. @throws DomainError INTERNAL_ERROR (503) while the treasury is short */
export async function requireSolvent(db: Queryable): Promise<void> {
  if (isShort(await newestCheck(db))) throw mustWait(SHORT, 'Nothing was charged');
}
