import type { Queryable } from '../ports/database.ts';
import { newestCheck } from './check-queries.ts';

/** Why nothing may be paid out now: the newest check of the ledger found a mismatch. Null when it did not. */
export async function payoutsStopped(db: Queryable): Promise<string | null> {
  const check = await newestCheck(db);
  if (check === null || (check.balanced && check.chainMatches)) return null;
  return check.problems[0] ?? 'the ledger does not hold';
}
