import type { Cursor, Times } from '../../paging.ts';
import type { Queryable } from '../../db/database.ts';

export type RevenueKind = 'platform_fee' | 'entry_fees' | 'fee_kept' | 'withdrawal' | 'other';

export type RevenueRow = {
  id: string;
  kind: RevenueKind;
  /** Null for a withdrawal. */
  projectId: string | null;
  amountMicro: number;
  createdAt: Date;
};

type RevenueFilter = Times & {
  kinds: RevenueKind[] | undefined;
  minMicro: number | undefined;
  maxMicro: number | undefined;
};

/** Newest first. The account of the other side names the project. Index ledger_entries_account. */
export async function listRevenueRows(
  db: Queryable,
  { kinds, since, before, minMicro, maxMicro }: RevenueFilter,
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<RevenueRow[]> {
  return await db<RevenueRow[]>`
    select id, kind, "projectId", "amountMicro", "createdAt" from (
      select j.id, -e.amount_micro as "amountMicro", j.created_at as "createdAt",
        (select split_part(o.account_id, ':', 2)::uuid from ledger_entries o
          where o.journal_id = j.id and (o.account_id like 'escrow:%' or o.account_id like 'fees:%') limit 1) as "projectId",
        case when j.kind in ('platform_fee', 'fee_kept') then j.kind when j.kind = 'completion' then 'entry_fees'
          when j.payment_id is not null then 'withdrawal' else 'other' end as kind
      from ledger_entries e join ledger_journals j on j.id = e.journal_id where e.account_id = 'revenue'
    ) revenue
    where true ${kinds === undefined ? db`` : db`and kind = any(${kinds})`}
      ${since === undefined ? db`` : db`and "createdAt" >= ${since}`}
      ${before === undefined ? db`` : db`and "createdAt" < ${before}`}
      ${minMicro === undefined ? db`` : db`and abs("amountMicro") >= ${minMicro}`}
      ${maxMicro === undefined ? db`` : db`and abs("amountMicro") <= ${maxMicro}`}
      ${after === null ? db`` : db`and (date_trunc('milliseconds', "createdAt"), id) < (${after.at}, ${after.id})`}
    order by date_trunc('milliseconds', "createdAt") desc, id desc limit ${limit}`;
}
