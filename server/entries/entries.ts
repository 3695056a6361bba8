import { liveSubjects } from '../payments/public.ts';
import { findWaiting } from './entry-queries.ts';
import type { Queryable } from '../db/database.ts';

/**
 * Returns whether submissions wait for their confirmation: with a fee that is paid or settling, or in a free project
 * with a pending file. The caller holds the project's lock, so that no payment is claimed meanwhile.
 */
export async function entriesWait(
  db: Queryable,
  { id, entryFeeMicro }: { id: string; entryFeeMicro: number },
): Promise<boolean> {
  const free = entryFeeMicro === 0;
  const { certain, unpaid } = await findWaiting(db, id, free);
  if (certain || free) return certain;
  return (await liveSubjects(db, 'entry_fee', unpaid)).length > 0;
}
