import { settledPaymentsOf } from '../../payments/public.ts';
import { copiesAmong, type EntryRow } from '../../entries/public.ts';
import { isEligible } from './selection.ts';
import type { Queryable } from '../../db/database.ts';

/**
 * Returns the ids of the entries that share a prize which nobody won: not disqualified, no picture with exactly the bytes of an
 * earlier entry, and one for each wallet that paid a fee. The earliest entry of a wallet shares. Otherwise a
 * party could multiply its share by registering agents. `entries` come in the order of their confirmation.
 */
export async function sharingEntries(db: Queryable, entries: EntryRow[]): Promise<ReadonlySet<string>> {
  const ids = entries.filter(isEligible).map(({ id }) => id);
  const [copies, fees] = await Promise.all([
    copiesAmong(
      db,
      entries.map(({ id }) => id),
    ),
    settledPaymentsOf(db, 'entry_fee', ids),
  ]);
  const payers = new Map(fees.map(({ subjectId, payer }) => [subjectId, payer]));
  const sharing = new Set<string>();
  const counted = new Set<string>();
  for (const id of ids) {
    const payer = payers.get(id);
    if (copies.has(id) || (payer !== undefined && counted.has(payer))) continue;
    if (payer !== undefined) counted.add(payer);
    sharing.add(id);
  }
  return sharing;
}
