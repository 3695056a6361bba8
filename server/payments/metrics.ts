import { countUndecided, type UndecidedFigure } from './metric-queries.ts';
import type { Queryable } from '../ports/database.ts';
import { type LedgerCheckRow, newestCheck } from '../ledger/public.ts';

/** For who watches the service: what is undecided, and what the newest check of the ledger found; null before the first. */
export async function paymentFigures(
  db: Queryable,
): Promise<{ undecided: UndecidedFigure[]; newestCheck: LedgerCheckRow | null }> {
  const [undecided, check] = await Promise.all([countUndecided(db), newestCheck(db)]);
  return { undecided, newestCheck: check };
}
