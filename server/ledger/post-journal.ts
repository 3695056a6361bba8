import { accountSide } from './accounts.ts';
import type { Journal } from './queries.ts';
import type { Tx } from '../db/database.ts';

/**
 * Writes one journal and creates missing accounts. PostgreSQL rejects a journal that does not sum to zero or that takes
 * an account below zero.
 */
export async function postJournal(tx: Tx, journal: Journal): Promise<void> {
  const sum = journal.lines.reduce((total, line) => total + line.amountMicro, 0);
  if (sum !== 0 || !journal.lines.every((line) => Number.isSafeInteger(line.amountMicro) && line.amountMicro !== 0)) {
    throw new RangeError(`journal ${journal.id} does not sum to zero in whole microdollars`);
  }
  // All transactions lock accounts in the order of their names, so two journals cannot deadlock. The treasury has no
  // balance to lock: it is the sum of the others.
  const lines = journal.lines.toSorted((a, b) => (a.account < b.account ? -1 : a.account > b.account ? 1 : 0));
  const accounts = [...new Set(lines.map((line) => line.account))].map((id) => ({ id, side: accountSide(id) }));
  const entries = lines.map((line, index) => ({
    journal_id: journal.id,
    line: index + 1,
    account_id: line.account,
    amount_micro: line.amountMicro,
  }));
  // Sent without waiting in between: one round trip.
  await Promise.all([
    tx`insert into ledger_accounts ${tx(accounts, 'id', 'side')} on conflict (id) do nothing`,
    tx`
      insert into ledger_journals (id, kind, payment_id, booking, lines, created_at)
      select ${journal.id}, ${journal.kind}, ${journal.paymentId}, coalesce(max(booking), 0) + 1, ${entries.length},
        ${journal.at}
      from ledger_journals where payment_id = ${journal.paymentId}`,
    tx`insert into ledger_entries ${tx(entries, 'journal_id', 'line', 'account_id', 'amount_micro')}`,
  ]);
}
