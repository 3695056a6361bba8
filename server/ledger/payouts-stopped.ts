import type { Queryable } from '../db/database.ts';
import { newestCheck } from './check-queries.ts';
import { recoveryNeeded } from './recovery-state.ts';

/**
 * Returns why payouts are stopped: the database must be recovered first, or the newest ledger check found a mismatch.
 * Returns null if payouts can be sent.
 */
export async function payoutsStopped(db: Queryable): Promise<string | null> {
  const [needed, check] = await Promise.all([recoveryNeeded(db), newestCheck(db)]);
  if (needed !== null) return needed;
  if (check === null || (check.balanced && check.chainMatches)) return null;
  return check.problems[0] ?? 'the newest ledger check found a mismatch';
}
