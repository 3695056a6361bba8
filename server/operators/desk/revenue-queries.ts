import type { Input } from '../../../contract/basics/operation.ts';
import type { moneyOutOperations } from '../../../contract/operator/money-out.ts';
import { readNewest } from '../../paging.ts';
import type { Queryable } from '../../db/database.ts';

type RevenueQuery = Input<typeof moneyOutOperations.listRevenue>['query'];

type RevenueRow = {
  id: string;
  kind: NonNullable<RevenueQuery['state']>[number];
  /** Null for a withdrawal. */
  projectId: string | null;
  amountMicro: number;
  createdAt: Date;
};

/** Newest first. The account of the other side names the project. Index ledger_entries_account. */
export async function listRevenueRows(db: Queryable, query: RevenueQuery) {
  return await readNewest<RevenueRow>(db, query, {
    rows: db`
      select id, kind, "projectId", "amountMicro", "createdAt" from (
        select j.id, -e.amount_micro as "amountMicro", j.created_at as "createdAt",
          (select split_part(o.account_id, ':', 2)::uuid from ledger_entries o
            where o.journal_id = j.id and (o.account_id like 'escrow:%' or o.account_id like 'fees:%') limit 1) as "projectId",
          case when j.kind in ('platform_fee', 'fee_kept') then j.kind when j.kind = 'completion' then 'entry_fees'
            when j.payment_id is not null then 'withdrawal' else 'other' end as kind
        from ledger_entries e join ledger_journals j on j.id = e.journal_id where e.account_id = 'revenue'
      ) revenue
      where true ${query.state === undefined ? db`` : db`and kind = any(${query.state})`}`,
    at: db`date_trunc('milliseconds', "createdAt")`,
    id: db`id`,
    amount: db`abs("amountMicro")`,
    cursorOf: ({ createdAt, id }) => ({ at: createdAt, id }),
  });
}
