import type { Queryable } from '../db/database.ts';

/** One sentence for each problem that a statement finds. */
export type Problem = { problem: string };

/** More than any fee of a cancellation. */
const MOST_CANCEL_FEE_MICRO = 1_000_000;

/**
 * Sums the unsettled payouts by state. The refund of a payment that vanished is owed only when that settles again. Index
 * payouts_unsettled.
 */
export async function unsettledPayouts(
  db: Queryable,
): Promise<{ state: string; count: number; amountMicro: number }[]> {
  return await db<{ state: string; count: number; amountMicro: number }[]>`
    select state, count(*) as count, sum(amount_micro)::bigint as "amountMicro" from payouts
    where state <> 'settled' and not exists (
      select from payments where id = payouts.payment_id and vanished_from is not null and payments.state <> 'settled')
    group by state order by state`;
}

/** The account that owes a payout, or paid it: a credited amount is owed by its wallet's account `payable`. */
export const owedBy = (db: Queryable) => db`
  case when credited_at is null then debit_account else 'payable:' || recipient end`;

/**
 * The accounts whose payments vanished from the chain and have not settled again: they hold less than they owe. Their
 * payouts wait. Index payments_vanished.
 */
export const vanishedFrom = (db: Queryable) => db`
  select vanished_from from payments where vanished_from is not null and state <> 'settled'`;

/**
 * Finds settled transfers without exactly one settled payment of their amount, recipient, and transaction, booked from
 * their accounts. A transfer is one payout with the amounts that it carried along.
 */
export const settledWithoutPayment = (db: Queryable) => db<Problem[]>`
    with parts as (
      select coalesce(sent_with, id) as transfer, ${owedBy(db)} as account, recipient, tx_hash,
        sum(amount_micro)::bigint as micro
      from payouts where state = 'settled' group by 1, 2, 3, 4
    ), transfers as (
      select transfer as id, min(recipient) as recipient, min(tx_hash) as tx_hash, sum(micro)::bigint as micro,
        count(distinct (recipient, tx_hash)) as places, count(distinct account) as accounts
      from parts group by transfer
    )
    select 'payout ' || t.id || ' is settled without exactly one payment from its account' as problem
    from transfers t
    join parts on parts.transfer = t.id
    left join payouts o on o.id = t.id and o.state = 'settled' and o.sent_with is null
    left join payments p on p.subject_id = t.id and p.state = 'settled'
      and p.kind = case when o.kind in ('refund', 'return') then 'refund' else 'payout' end
      and p.amount_micro = t.micro and p.pay_to = t.recipient and p.tx_hash = t.tx_hash
    left join ledger_journals j on j.payment_id = p.id
    left join ledger_entries e on e.journal_id = j.id and e.account_id = parts.account and e.amount_micro = parts.micro
    group by t.id, t.places, t.accounts, o.id
    having t.places <> 1 or o.id is null or count(distinct p.id) <> 1 or count(distinct e.account_id) <> t.accounts
    limit 20`;

/** Finds outgoing payments without a settled payout. Index payments_live_subject, or a scan of settled payments. */
export const paymentsWithoutPayout = (db: Queryable) => db<Problem[]>`
    select 'payment ' || p.id || ' left the treasury but settles no payout' as problem from payments p
    left join payouts o on o.id = p.subject_id and o.state = 'settled'
    where p.state = 'settled' and p.kind in ('payout', 'refund') and o.id is null
    limit 20`;

/**
 * Finds refunds that differ from their payment in amount, payer, or the account that held the money. The refund of a
 * prize is smaller if the service kept its fee or that of a cancellation, or paid shares of a prize that nobody judged.
 */
export const wrongRefunds = (db: Queryable) => db<Problem[]>`
    select 'refund ' || o.id || ' differs from the payment that it gives back' as problem from payouts o
    left join payments p on p.id = o.payment_id
    where o.kind = 'refund' and (p.vanished_from is null or p.state = 'settled') and (p.state = 'settled' and p.kind in ('entry_fee', 'escrow')
      and o.recipient = p.payer and (o.amount_micro = p.amount_micro or o.amount_micro < p.amount_micro
        and p.kind = 'escrow' and not p.late and exists (
          select 1 from projects held where held.id = o.project_id and (held.selection = 'silence' or held.fee_kept
            and o.amount_micro = held.prize_micro * (1000000 - held.platform_fee_ppm) / 1000000
            or held.status = 'cancelled' and p.amount_micro - o.amount_micro <= ${MOST_CANCEL_FEE_MICRO} and o.amount_micro = p.amount_micro - (
              select sum(e.amount_micro) from ledger_entries e join ledger_journals j on j.id = e.journal_id
              where e.account_id = o.debit_account and j.kind = 'fee_kept'))))
      and o.debit_account = case
        when p.late then 'payable:' || p.payer
        when p.kind = 'escrow' then 'escrow:' || o.project_id::text
        else 'fees:' || o.project_id::text end) is not true
    limit 20`;

/** Finds payouts that give a stray back and differ from it, and returned strays without such a payout. */
export const wrongReturns = (db: Queryable) => db<Problem[]>`
    select 'payout or stray ' || coalesce(o.id, s.id) || ': a returned stray and its payout differ' as problem
    from (select * from payouts where kind = 'return') o
    full join (select * from stray_transfers where returned_at is not null) s on o.reference = 'stray:' || s.id
    where (o.amount_micro = s.amount_micro and o.recipient = s.sender and o.debit_account = 'payable:' || s.sender)
      is not true
    limit 20`;

/**
 * Finds accounts that hold less than their unsettled payouts, and accounts of wallets that hold more: that money would be
 * owed to nobody. Index payouts_unsettled.
 */
export const uncoveredAccounts = (db: Queryable) => db<Problem[]>`
    select format('account %s has a balance of %s, but unsettled payouts of %s', coalesce(owed.account, a.id),
      coalesce(a.balance_micro, 0), coalesce(owed.micro, 0)) as problem
    from (select ${owedBy(db)} as account, sum(amount_micro)::bigint as micro from payouts
      where state <> 'settled' group by 1) owed
    full join (select id, balance_micro from ledger_accounts where balance_micro > 0) a on a.id = owed.account
    where (coalesce(a.balance_micro, 0) < coalesce(owed.micro, 0)
      or (a.id like 'payable:%' and a.balance_micro <> coalesce(owed.micro, 0)))
      and coalesce(owed.account, a.id) not in (${vanishedFrom(db)})
    limit 20`;
