import type { Queryable } from '../ports/database.ts';

type Found = { id: string };

/** Sums the unsettled payouts by state. Index payouts_unsettled. */
export async function unsettledPayouts(
  db: Queryable,
): Promise<{ state: string; count: number; amountMicro: number }[]> {
  return await db<{ state: string; count: number; amountMicro: number }[]>`
    select state, count(*) as count, sum(amount_micro)::bigint as "amountMicro" from payouts
    where state <> 'settled' group by state order by state`;
}

/**
 * Finds settled payouts without exactly one settled payment of the same amount, recipient, and transaction, booked from
 * the payout's account.
 */
export async function settledWithoutPayment(db: Queryable): Promise<Found[]> {
  return await db<Found[]>`
    select o.id from payouts o
    left join payments p on p.subject_id = o.id and p.state = 'settled'
      and p.kind = case o.kind when 'refund' then 'refund' else 'payout' end
      and p.amount_micro = o.amount_micro and p.pay_to = o.recipient and p.tx_hash = o.tx_hash
    left join ledger_journals j on j.payment_id = p.id
    left join ledger_entries e on e.journal_id = j.id and e.account_id = o.debit_account and e.amount_micro = o.amount_micro
    where o.state = 'settled'
    group by o.id having count(distinct p.id) <> 1 or count(e.line) <> 1
    limit 20`;
}

/** Finds outgoing payments without a settled payout. Index payments_live_subject, or a scan of settled payments. */
export async function paymentsWithoutPayout(db: Queryable): Promise<Found[]> {
  return await db<Found[]>`
    select p.id from payments p
    left join payouts o on o.id = p.subject_id and o.state = 'settled'
    where p.state = 'settled' and p.kind in ('payout', 'refund') and o.id is null
    limit 20`;
}

/**
 * Finds refunds that differ from their payment in amount, payer, or the account that held the money. The refund of a
 * prize is smaller if the service kept its fee, or paid shares of a prize that nobody judged.
 */
export async function wrongRefunds(db: Queryable): Promise<Found[]> {
  return await db<Found[]>`
    select o.id from payouts o
    left join payments p on p.id = o.payment_id
    where o.kind = 'refund' and (p.state = 'settled' and p.kind in ('entry_fee', 'escrow')
      and o.recipient = p.payer and (o.amount_micro = p.amount_micro or o.amount_micro < p.amount_micro
        and p.kind = 'escrow' and not p.late and exists (
          select 1 from projects held where held.id = o.project_id and (held.selection = 'silence' or held.fee_kept
            and o.amount_micro = held.prize_micro * (1000000 - held.platform_fee_ppm) / 1000000)))
      and o.debit_account = case
        when p.late then 'payable:' || p.payer
        when p.kind = 'escrow' then 'escrow:' || o.project_id::text
        else 'fees:' || o.project_id::text end) is not true
    limit 20`;
}

/** Finds accounts that hold less than their unsettled payouts. Index payouts_unsettled. */
export async function uncoveredAccounts(
  db: Queryable,
): Promise<{ account: string; owedMicro: number; balanceMicro: number }[]> {
  return await db<{ account: string; owedMicro: number; balanceMicro: number }[]>`
    select owed.account, owed.micro as "owedMicro", coalesce(a.balance_micro, 0) as "balanceMicro"
    from (select debit_account as account, sum(amount_micro)::bigint as micro from payouts
      where state <> 'settled' group by debit_account) owed
    left join ledger_accounts a on a.id = owed.account
    where coalesce(a.balance_micro, 0) < owed.micro
    limit 20`;
}
