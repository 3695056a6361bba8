import { accountSide } from './accounts.ts';
import { insertJournal, type Journal } from './queries.ts';
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
  await insertJournal(tx, { ...journal, lines }, accounts);
}
