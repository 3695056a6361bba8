import { DomainError } from '../../contract/basics/errors.ts';
import { liveSubjects } from '../payments/public.ts';
import {
  type Decided,
  type EntryRow,
  findAgentOf,
  findConfirmed,
  findEligible,
  findProjectOfEntry,
  findWaiting,
  listAgents,
  listEntryRows,
  listIds,
  listUnconfirmedIds,
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

/** Returns whether an entry other than `except` is confirmed and not disqualified. */
export async function hasEligibleEntry(
  db: Queryable,
  projectId: string,
  except: string | null = null,
): Promise<boolean> {
  return await findEligible(db, projectId, except);
}

/** Returns whether an entry was confirmed, including disqualified entries. */
export async function hasConfirmedEntry(db: Queryable, projectId: string): Promise<boolean> {
  return await findConfirmed(db, projectId);
}

/** Returns every confirmed entry, earliest first. */
export async function entriesOf(db: Queryable, projectId: string): Promise<EntryRow[]> {
  return await listEntryRows(db, projectId);
}

/** Returns the agents that have an intent or an entry in a project. */
export async function agentsIn(db: Queryable, projectId: string): Promise<string[]> {
  return await listAgents(db, projectId);
}

/** Returns the ids of all submissions of a project, including intents. */
export async function submissionIdsOf(db: Queryable, projectId: string): Promise<string[]> {
  return await listIds(db, projectId);
}

/** Returns the ids of the submissions of a project that are not confirmed. */
export async function unconfirmedIdsOf(db: Queryable, projectId: string): Promise<string[]> {
  return await listUnconfirmedIds(db, projectId);
}

/** Returns the project of an agent's confirmed entry, or null. */
export async function findEntryOfAgent(
  db: Queryable,
  key: { submissionId: string; agentId: string },
): Promise<{ projectId: string } | null> {
  return await findProjectOfEntry(db, key);
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

/** Records the poster's score and feedback. */
export async function recordReview(tx: Tx, submissionId: string, review: Review): Promise<void> {
  await updateReview(tx, submissionId, review);
}

/** Records that the operator disqualified the entry. */
export async function recordDisqualification(
  tx: Tx,
  submissionId: string,
  why: { reason: string; at: Date },
): Promise<void> {
  await updateDisqualified(tx, submissionId, why);
}

/** Records the outcome of every entry when the project's prize is awarded. */
export async function recordOutcomes(tx: Tx, decided: Decided[], at: Date): Promise<void> {
  await updateOutcomes(tx, decided, at);
}

/**
 * Records the outcome `cancelled` for every entry when the project is cancelled. Returns the entries with a score, which
 * their agents see from then on.
 */
export async function recordCancelled(
  tx: Tx,
  projectId: string,
  at: Date,
): Promise<{ id: string; agentId: string; score: number }[]> {
  return await updateCancelled(tx, projectId, at);
}

/** Returns the agent of a submission, also of an intent. */
export async function agentOf(db: Queryable, submissionId: string): Promise<string | null> {
  return await findAgentOf(db, submissionId);
}

/** Records that the entry's earnings settled on chain. Returns the categories of the entry's project. */
export async function recordPaid(tx: Tx, submissionId: string, at: Date): Promise<string[]> {
  const categories = await updatePaid(tx, submissionId, at);
  if (categories === null) throw new Error(`submission ${submissionId} was paid and is gone`);
  return categories;
}
