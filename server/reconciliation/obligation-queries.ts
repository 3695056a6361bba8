import { owedBy, type Problem, vanishedFrom } from './payout-queries.ts';
import type { Queryable } from '../db/database.ts';

/**
 * Finds awarded projects whose prizes and shares do not sum to the prize minus the platform fee, rounded down. An award
 * is either one prize or only shares. If nobody judged the project, the sum includes what goes back to the poster.
 * Projects that are not awarded must owe none.
 */
export const wronglyAwarded = (db: Queryable) => db<Problem[]>`
    select format('project %s owes %s, which is not the prize minus the platform fee', coalesce(p.id, o.project_id),
      coalesce(o.micro, 0)) as problem
    from projects p full join (
      select project_id, sum(amount_micro)::bigint as micro, count(*) filter (where kind = 'prize') as prizes,
        count(*) filter (where kind = 'share') as shares
      from payouts where kind in ('prize', 'share') group by project_id
    ) o on o.project_id = p.id
    left join (
      select project_id, sum(amount_micro)::bigint as micro from payouts
      where kind = 'refund' and submission_id is null and project_id is not null group by project_id
    ) back on back.project_id = p.id
    where (p.awarded_at is not null or o.project_id is not null) and (p.awarded_at is not null
      and coalesce(o.micro, 0) + coalesce(back.micro, 0) = p.prize_micro * (1000000 - p.platform_fee_ppm) / 1000000
      and (back.micro is null or p.selection = 'silence')
      and (o.prizes = 1 and o.shares = 0 or coalesce(o.prizes, 0) = 0)) is not true
    limit 20`;

/**
 * Finds escrow and fee accounts of ended projects that hold more or less than their unsettled payouts. Also finds such
 * accounts without a project.
 */
export const leftoverAccounts = (db: Queryable) => db<Problem[]>`
    select format('account %s of a %s project has a balance of %s, but unsettled payouts of %s', a.id,
      coalesce(p.status, 'missing'), a.balance_micro, coalesce(o.micro, 0)) as problem
    from ledger_accounts a
    left join projects p on p.id = split_part(a.id, ':', 2)::uuid
    left join (
      select ${owedBy(db)} as account, sum(amount_micro)::bigint as micro from payouts
      where state <> 'settled' group by 1
    ) o on o.account = a.id
    where (a.id like 'escrow:%' or a.id like 'fees:%') and a.balance_micro <> coalesce(o.micro, 0)
      and (p.status is null or p.status in ('completed', 'cancelled')) and a.id not in (${vanishedFrom(db)})
    limit 20`;

/**
 * Finds open and judged projects whose escrow is not the prize minus the settled and credited payouts. The platform fee leaves
 * the escrow with the award.
 */
export const wrongEscrows = (db: Queryable) => db<Problem[]>`
    select format('the escrow of project %s has a balance of %s, which with its settled payouts is not its prize of %s',
      p.id, coalesce(a.balance_micro, 0), p.prize_micro) as problem
    from projects p
    left join ledger_accounts a on a.id = 'escrow:' || p.id::text
    where p.status in ('open', 'judging') and (
        case when p.awarded_at is null then p.prize_micro else p.prize_micro * (1000000 - p.platform_fee_ppm) / 1000000 end
      ) <> coalesce(a.balance_micro, 0) + coalesce(
      (select sum(o.amount_micro) from payouts o
        where o.project_id = p.id and (o.state = 'settled' or o.credited_at is not null) and o.debit_account = a.id), 0)
      and 'escrow:' || p.id::text not in (${vanishedFrom(db)})
    limit 20`;
