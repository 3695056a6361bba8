import type { Cursor } from '../../paging.ts';
import { payoutColumns, type PayoutKind, type PayoutRow } from '../../payouts/public.ts';
import type { Queryable } from '../../ports/database.ts';

/** Oldest first, after a position. Index payouts_project. */
export async function listProjectPage(
  db: Queryable,
  projectId: string,
  kinds: PayoutKind[],
  { after, limit }: { after: Cursor; limit: number },
): Promise<PayoutRow[]> {
  return await db<PayoutRow[]>`
    select ${payoutColumns(db)} from payouts
    where project_id = ${projectId} and kind = any(${kinds}) and (created_at, id) > (${after.at}, ${after.id})
    order by created_at, id limit ${limit}`;
}

/** Index payouts_project. */
export async function sumSettledOf(db: Queryable, projectId: string, kinds: PayoutKind[]): Promise<number> {
  const [row] = await db<{ micro: number }[]>`
    select coalesce(sum(amount_micro), 0)::bigint as micro from payouts
    where project_id = ${projectId} and kind = any(${kinds}) and state = 'settled'`;
  return row?.micro ?? 0;
}
