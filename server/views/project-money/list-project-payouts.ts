import type { Cursor } from '../../paging.ts';
import { listProjectPage, sumSettledOf } from './project-payout-queries.ts';
import type { PayoutKind, PayoutRow } from '../../payouts/public.ts';
import type { Queryable } from '../../ports/database.ts';

/** Returns a page of a project's payouts, oldest first, and the sum of all its settled payouts. */
export async function payoutsPage(
  db: Queryable,
  projectId: string,
  kinds: PayoutKind[],
  page: { after: Cursor; limit: number },
): Promise<{ rows: PayoutRow[]; settledMicro: number }> {
  const [rows, settledMicro] = await Promise.all([
    listProjectPage(db, projectId, kinds, page),
    sumSettledOf(db, projectId, kinds),
  ]);
  return { rows, settledMicro };
}
