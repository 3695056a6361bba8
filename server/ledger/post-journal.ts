import { accountSide } from './accounts.ts';
import type { Journal } from './journal.ts';
import { insertJournal } from './queries.ts';
import type { Tx } from '../ports/database.ts';

/**
 * Writes one journal; accounts come into being on demand. The database refuses one that does not sum to zero or
 * that takes an account below zero.
 */
export async function postJournal(tx: Tx, journal: Journal): Promise<void> {
  const sum = journal.lines.reduce((total, line) => total + line.amountMicro, 0);
  if (sum !== 0 || !journal.lines.every((line) => Number.isSafeInteger(line.amountMicro) && line.amountMicro !== 0)) {
    throw new RangeError(`journal ${journal.id} does not sum to zero in whole microdollars`);
  }
  // One order of locks for everyone, so that two journals over the same accounts can't deadlock; by name, the
  // account that every payment touches (treasury) comes last and is held for the shortest time.
  const lines = journal.lines.toSorted((a, b) => (a.account < b.account ? -1 : a.account > b.account ? 1 : 0));
  const accounts = [...new Set(lines.map((line) => line.account))].map((id) => ({ id, side: accountSide(id) }));
  await insertJournal(tx, { ...journal, lines }, accounts);
}
