import type { Cursor } from '../../paging.ts';
import { payoutColumns, type PayoutKind, type PayoutRow } from '../../payouts/public.ts';
import type { Queryable } from '../../db/database.ts';

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

export type PayoutSums = {
  settledMicro: number;
  /** Amounts that have left the project's accounts, for wallets that get them with their next transfer. */
  creditedMicro: number;
};

/** Index payouts_project. */
export async function sumPayoutsOf(db: Queryable, projectId: string, kinds: PayoutKind[]): Promise<PayoutSums> {
  const [row] = await db<[PayoutSums]>`
    select coalesce(sum(amount_micro) filter (where state = 'settled'), 0)::bigint as "settledMicro",
      coalesce(sum(amount_micro) filter (where state <> 'settled' and credited_at is not null), 0)::bigint as "creditedMicro"
    from payouts where project_id = ${projectId} and kind = any(${kinds})`;
  return row;
}
