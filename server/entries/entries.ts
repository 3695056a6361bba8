import { DomainError } from '../../contract/basics/errors.ts';
import { liveSubjects } from '../payments/public.ts';
import { type EntryRow, findWaiting, lockEntryRow, markPaid } from './entry-queries.ts';
import type { Queryable, Tx } from '../db/database.ts';

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

/**
 * Locks a confirmed entry of the project. The caller holds the project's lock.
 *
 * @throws DomainError SUBMISSION_NOT_FOUND
 */
export async function lockEntry(tx: Tx, key: { projectId: string; submissionId: string }): Promise<EntryRow> {
  const entry = await lockEntryRow(tx, key);
  if (!entry) throw new DomainError('SUBMISSION_NOT_FOUND', 'Submission not found.');
  return entry;
}

/** Records that the entry's earnings settled on chain. */
export async function recordPaid(tx: Tx, submissionId: string, at: Date): Promise<void> {
  if (!(await markPaid(tx, submissionId, at))) throw new Error(`submission ${submissionId} was paid and is gone`);
}
