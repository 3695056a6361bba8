import type { Queryable, Tx } from '../db/database.ts';

/** Debits are positive, credits negative. */
export type JournalLine = { account: string; amountMicro: number };

export type Journal = {
  id: string;
  /**
   * The kind of event: `entry_fee`, `escrow`, `late_payment`, `payout`, `refund`, `credit`, `stray_transfer`,
   * `stray_return`, `adopted_transfer`, `reversal`.
   */
  kind: string;
  /** The settled payment that caused it, or null. A reversal names the payment that it takes back. */
  paymentId: string | null;
  at: Date;
  lines: JournalLine[];
};

export type AccountRow = { account: string; balanceMicro: number };

/** Returns the lines of a payment's newest journal. Index ledger_journals_bookings. */
export async function newestJournal(tx: Tx, paymentId: string): Promise<JournalLine[]> {
  return await tx<JournalLine[]>`
    select account_id as account, amount_micro as "amountMicro" from ledger_entries
    where journal_id = (select id from ledger_journals where payment_id = ${paymentId} order by booking desc limit 1)`;
}

const MOST_ACCOUNTS = 10_000;

/**
 * All balances, as rows of `balances`. The treasury's is what all credits exceed the other debits by, because every
 * journal sums to zero. Nothing stores it: each payment would wait there for the commit of the one before.
 */
const balances = (db: Queryable) => db`
  balances as (
    select id, side, balance_micro from ledger_accounts where id <> 'treasury'
    union all
    select 'treasury', 'debit', coalesce(sum(case side when 'credit' then balance_micro else -balance_micro end), 0)::bigint
    from ledger_accounts where id <> 'treasury'
  )`;

/**
 * Lists accounts with a balance. Ended projects have a balance of zero, so this list stays short. The treasury comes
 * first.
 */
export async function listAccounts(db: Queryable): Promise<AccountRow[]> {
  return await db<AccountRow[]>`
    with ${balances(db)}
    select id as account, balance_micro as "balanceMicro" from balances where balance_micro <> 0
    order by id in ('treasury', 'revenue', 'stray', 'unexplained') desc, id limit ${MOST_ACCOUNTS}`;
}

export const unbalancedJournals = (db: Queryable) => db<{ problem: string }[]>`
    select 'journal ' || j.id || ' does not sum to zero' as problem
    from ledger_journals j left join ledger_entries e on e.journal_id = j.id
    group by j.id
    having coalesce(sum(e.amount_micro), 1) <> 0 or count(e.line) <> j.lines
    limit 20`;

export const driftedAccounts = (db: Queryable) => db<{ problem: string }[]>`
    with ${balances(db)}
    select format('account %s has a balance of %s, but its entries sum to %s', a.id, a.balance_micro,
      case a.side when 'debit' then 1 else -1 end * coalesce(sum(e.amount_micro), 0)) as problem
    from balances a left join ledger_entries e on e.account_id = a.id
    group by a.id, a.side, a.balance_micro
    having a.balance_micro < 0 or a.balance_micro <> case a.side when 'debit' then 1 else -1 end * coalesce(sum(e.amount_micro), 0)
    limit 20`;

/**
 * Returns the balance of an account, and how much left it as earned: neither paid nor credited to a wallet. A
 * platform fee that was taken back was not earned. Index ledger_entries_account; journals by primary key.
 */
export async function accountFlow(
  db: Queryable,
  account: string,
): Promise<{ balanceMicro: number; keptMicro: number }> {
  const [row] = await db<[{ balanceMicro: number; keptMicro: number }]>`
    select coalesce((select balance_micro from ledger_accounts where id = ${account}), 0) as "balanceMicro",
      coalesce((select sum(e.amount_micro) from ledger_entries e join ledger_journals j on j.id = e.journal_id
        where e.account_id = ${account} and j.payment_id is null and j.kind <> 'credit'), 0)::bigint as "keptMicro"`;
  return row;
}

/**
 * Returns the balances of these accounts, and locks them until the transaction ends, in the order of their names, as journals
 * do. An account without entries has 0.
 */
export async function accountBalances(tx: Tx, accounts: string[]): Promise<Map<string, number>> {
  const rows = await tx<AccountRow[]>`
    select id as account, balance_micro as "balanceMicro" from ledger_accounts
    where id = any(${accounts}) order by id collate "C" for no key update`;
  const known = new Map(rows.map(({ account, balanceMicro }) => [account, balanceMicro]));
  return new Map(accounts.map((account) => [account, known.get(account) ?? 0]));
}
