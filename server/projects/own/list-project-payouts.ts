import type { Cursor } from '../../paging.ts';
import { listProjectPage, type PayoutSums, sumPayoutsOf } from './project-payout-queries.ts';
import type { PayoutKind, PayoutRow } from '../../payouts/public.ts';
import type { Queryable } from '../../db/database.ts';

/** Returns a page of a project's payouts, oldest first, and the sums of all its payouts. */
export async function payoutsPage(
  db: Queryable,
  projectId: string,
  kinds: PayoutKind[],
  page: { after: Cursor; limit: number },
): Promise<{ rows: PayoutRow[] } & PayoutSums> {
  const [rows, sums] = await Promise.all([
    listProjectPage(db, projectId, kinds, page),
    sumPayoutsOf(db, projectId, kinds),
  ]);
  return { rows, ...sums };
}
