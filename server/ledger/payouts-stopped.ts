import type { Queryable } from '../ports/database.ts';
import { newestCheck } from './check-queries.ts';

/** Returns why payouts are stopped: the newest ledger check found a mismatch. Returns null if payouts can be sent. */
export async function payoutsStopped(db: Queryable): Promise<string | null> {
  const check = await newestCheck(db);
  if (check === null || (check.balanced && check.chainMatches)) return null;
  return check.problems[0] ?? 'the newest ledger check found a mismatch';
}
