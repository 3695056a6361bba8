import { DomainError } from '../../contract/errors.ts';
import { liveSubjects } from '../payments/public.ts';
import {
  type Decided,
  type EntryRow,
  findConfirmed,
  findEligible,
  findWaiting,
  listEntryRows,
  listIds,
  lockEntryRow,
  type Review,
  updateCancelled,
  updateDisqualified,
  updateOutcomes,
  updatePaid,
  updateReview,
} from './entry-queries.ts';
import type { Queryable, Tx } from '../ports/database.ts';

export type { Decided, EntryRow };

/**
 * Whether anything that was paid for, or is being paid for, waits for its confirmation; in a free project, whatever has a
 * file under way. The caller holds the project's lock, so that no payment is claimed meanwhile.
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

/** Whether any entry, but for `except`, is confirmed and not disqualified. */
export async function hasEligibleEntry(
  db: Queryable,
  projectId: string,
  except: string | null = null,
): Promise<boolean> {
  return await findEligible(db, projectId, except);
}

/** Whether any entry was confirmed, disqualified ones too. */
export async function hasConfirmedEntry(db: Queryable, projectId: string): Promise<boolean> {
  return await findConfirmed(db, projectId);
}

/** Every confirmed entry, the earliest first. */
export async function entriesOf(db: Queryable, projectId: string): Promise<EntryRow[]> {
  return await listEntryRows(db, projectId);
}

/** Every submission of a project, intents too. */
export async function submissionIdsOf(db: Queryable, projectId: string): Promise<string[]> {
  return await listIds(db, projectId);
}

/** A confirmed entry of that project, locked; the project is locked before it. @throws DomainError SUBMISSION_NOT_FOUND */
export async function lockEntry(tx: Tx, key: { projectId: string; submissionId: string }): Promise<EntryRow> {
  const entry = await lockEntryRow(tx, key);
  if (!entry) throw new DomainError('SUBMISSION_NOT_FOUND', 'Submission not found.');
  return entry;
}

export async function recordReview(tx: Tx, submissionId: string, review: Review): Promise<void> {
  await updateReview(tx, submissionId, review);
}

export async function recordDisqualification(
  tx: Tx,
  submissionId: string,
  why: { reason: string; at: Date },
): Promise<void> {
  await updateDisqualified(tx, submissionId, why);
}

/** What became of every entry of a project, once its prize is awarded. */
export async function recordOutcomes(tx: Tx, decided: Decided[], at: Date): Promise<void> {
  await updateOutcomes(tx, decided, at);
}

/** What became of them when the project is cancelled. */
export async function recordCancelled(tx: Tx, projectId: string, at: Date): Promise<void> {
  await updateCancelled(tx, projectId, at);
}

/** Its earnings have settled on chain. Gives the specialization that it was entered under. */
export async function recordPaid(tx: Tx, submissionId: string, at: Date): Promise<string> {
  const specialization = await updatePaid(tx, submissionId, at);
  if (specialization === null) throw new Error(`submission ${submissionId} was paid and is gone`);
  return specialization;
}
