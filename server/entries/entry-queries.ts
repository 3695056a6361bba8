import { DomainError } from '../../contract/basics/errors.ts';
import type { Queryable, Tx } from '../db/database.ts';

/** A confirmed entry, as judging sees it. */
export type EntryRow = {
  id: string;
  agentId: string;
  submittedAt: Date;
  score: number | null;
  scoreSource: 'poster' | 'ai' | null;
  scoredAt: Date | null;
  disqualifiedAt: Date | null;
  disqualifyReason: string | null;
};

const entryColumns = (db: Queryable) => db`
  id, agent_id as "agentId", submitted_at as "submittedAt", score, score_source as "scoreSource",
  scored_at as "scoredAt", disqualified_at as "disqualifiedAt", disqualify_reason as "disqualifyReason"`;

export type Waiting = { certain: boolean; unpaid: string[] };

/**
 * Returns whether submissions of the project wait for their confirmation. `certain` means a paid submission, or in a
 * free project one with a pending file. `unpaid` are the intents whose fee may be settling. Index submissions_once.
 */
export async function findWaiting(db: Queryable, projectId: string, free: boolean): Promise<Waiting> {
  const certain = free
    ? db`exists (select 1 from media_files where submission_id = submissions.id and media_files.status = 'pending')`
    : db`entry_fee_paid_micro > 0`;
  const [row] = await db<[Waiting]>`
    select coalesce(bool_or(certain), false) as certain, coalesce(array_agg(id) filter (where not certain), '{}') as unpaid
    from (select id, ${certain} as certain from submissions where project_id = ${projectId} and status = 'pending') pending`;
  return row;
}

/** Returns whether an entry other than `except` is confirmed and not disqualified. Index submissions_entries. */
export async function hasEligibleEntry(
  db: Queryable,
  projectId: string,
  except: string | null = null,
): Promise<boolean> {
  const [row] = await db`
    select 1 from submissions where project_id = ${projectId} and status = 'submitted' and disqualified_at is null
      ${except === null ? db`` : db`and id <> ${except}`} limit 1`;
  return row !== undefined;
}

/** Returns whether an entry was confirmed, including disqualified entries. Index submissions_entries. */
export async function hasConfirmedEntry(db: Queryable, projectId: string): Promise<boolean> {
  const [row] = await db`select 1 from submissions where project_id = ${projectId} and status = 'submitted' limit 1`;
  return row !== undefined;
}

/**
 * Returns every confirmed entry in the order of confirmation, including disqualified ones. Index submissions_entries.
 */
export async function entriesOf(db: Queryable, projectId: string): Promise<EntryRow[]> {
  return await db<EntryRow[]>`
    select ${entryColumns(db)} from submissions where project_id = ${projectId} and status = 'submitted'
    order by submitted_at, id`;
}

/**
 * Returns the agents that have an intent or an entry in a project, each once: an agent has one of them in a project.
 */
export async function agentsIn(db: Queryable, projectId: string): Promise<string[]> {
  const rows = await db<{ agentId: string }[]>`
    select agent_id as "agentId" from submissions
    where project_id = ${projectId} and status in ('pending', 'submitted')`;
  return rows.map(({ agentId }) => agentId);
}

/**
 * `unconfirmed` have no result, and may have a paid fee. `confirmed` include disqualified ones. `poor` ones were scored 1 by
 * the poster. The service itself kept the `unserved` from being confirmed: they are paid and never got an upload URL, or the
 * service was down, or did not inspect what their agent confirmed in time.
 */
export type Which = 'all' | 'unconfirmed' | 'confirmed' | 'poor' | 'unserved';

const CONDITIONS: Record<Which, string> = {
  all: '',
  unconfirmed: `and status = 'pending'`,
  confirmed: `and status = 'submitted'`,
  poor: `and status = 'submitted' and score = 1 and score_source = 'poster'`,
  unserved: `and status = 'pending' and entry_fee_paid_micro > 0
    and (
      service_failed_at is not null
      or not exists (select 1 from media_files where submission_id = s.id)
      or exists (
        select 1 from media_files m
        where m.submission_id = s.id and m.status = 'pending' and m.confirm_requested_at is not null))`,
};

/** Returns the ids of submissions of a project. Indexes submissions_entries and media_files_submission. */
export async function submissionIdsOf(db: Queryable, projectId: string, which: Which = 'all'): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from submissions s where project_id = ${projectId} ${db.unsafe(CONDITIONS[which])}`;
  return rows.map(({ id }) => id);
}

/**
 * Returns those of a project's confirmed entries that have a picture with exactly the bytes of an earlier one. A picture that
 * only resembles another is no copy. Index media_files_submission.
 */
export async function copiesAmong(db: Queryable, submissionIds: string[]): Promise<ReadonlySet<string>> {
  const rows = await db<{ id: string }[]>`
    select distinct id from (
      select s.id, first_value(s.id) over (partition by m.sha256 order by s.submitted_at, s.id) as first_id
      from submissions s join media_files m on m.submission_id = s.id
      where s.id = any(${submissionIds}) and m.status = 'completed'
    ) pictures where id <> first_id`;
  return new Set(rows.map(({ id }) => id));
}

/** Records that the service gave up a confirmation that was requested in time. */
export async function recordServiceFailure(db: Queryable, submissionId: string, at: Date): Promise<void> {
  await db`update submissions set service_failed_at = ${at} where id = ${submissionId} and status = 'pending'`;
}

/** Records that the service was down when entries of the project could have been confirmed. The caller holds its lock. */
export async function recordOutage(tx: Tx, projectId: string, at: Date): Promise<void> {
  await tx`update submissions set service_failed_at = ${at} where project_id = ${projectId} and status = 'pending'`;
}

/**
 * Locks a confirmed entry of the project. The caller holds the project's lock.
 *
 * @throws DomainError SUBMISSION_NOT_FOUND, also for an intent, because only confirmed entries are judged
 */
export async function lockEntry(
  tx: Tx,
  { projectId, submissionId }: { projectId: string; submissionId: string },
): Promise<EntryRow & { feedback: string | null }> {
  const [row] = await tx<(EntryRow & { feedback: string | null })[]>`
    select ${entryColumns(tx)}, feedback from submissions
    where id = ${submissionId} and project_id = ${projectId} and status = 'submitted' for no key update`;
  if (!row) throw new DomainError('SUBMISSION_NOT_FOUND', 'Submission not found.');
  return row;
}

export type Review = { score: number; feedback: string; at: Date };

/** Records the poster's score and feedback. */
export async function recordReview(tx: Tx, submissionId: string, { score, feedback, at }: Review): Promise<void> {
  await tx`
    update submissions set score = ${score}, score_source = 'poster', feedback = ${feedback}, scored_at = ${at}
    where id = ${submissionId}`;
}

/** An entry with its pictures, by item. */
export type ScoredEntry = { title: string; description: string | null; mediaFileIds: string[] };

/** Returns the entry's text and pictures for the AI judge. */
export async function entryToScore(db: Queryable, submissionId: string): Promise<ScoredEntry | null> {
  const [row] = await db<ScoredEntry[]>`
    select title, description, array(
      select id from media_files where submission_id = submissions.id and status = 'completed' order by item
    ) as "mediaFileIds"
    from submissions where id = ${submissionId}`;
  return row ?? null;
}

/** Records the scores of the AI judge. Keeps feedback that the poster wrote without a score. */
export async function recordAiScores(
  tx: Tx,
  scores: { submissionId: string; score: number; reason: string }[],
  now: Date,
): Promise<void> {
  await tx`
    update submissions
    set score = given.score, score_source = 'ai', feedback = coalesce(feedback, given.reason), scored_at = ${now}
    from unnest(${scores.map((one) => one.submissionId)}::uuid[], ${scores.map((one) => one.score)}::smallint[],
      ${scores.map((one) => one.reason)}::text[]) given (id, score, reason)
    where submissions.id = given.id`;
}

/** Records feedback without a score, which the award has fixed. Disqualified entries get none. */
export async function recordFeedback(tx: Tx, given: { submissionId: string; feedback: string }[]): Promise<void> {
  await tx`
    update submissions set feedback = given.feedback
    from unnest(${given.map((one) => one.submissionId)}::uuid[], ${given.map((one) => one.feedback)}::text[])
      given (id, feedback)
    where submissions.id = given.id and disqualified_at is null`;
}

/** Records that the operator disqualified the entry. */
export async function recordDisqualification(
  tx: Tx,
  submissionId: string,
  { reason, at }: { reason: string; at: Date },
): Promise<void> {
  await tx`
    update submissions set disqualified_at = ${at}, disqualify_reason = ${reason} where id = ${submissionId}`;
}

/** Disqualifies a confirmed entry that has no result yet. Returns null if there is none. */
export async function disqualifyUndecided(
  tx: Tx,
  submissionId: string,
  { reason, at }: { reason: string; at: Date },
): Promise<{ agentId: string; projectId: string } | null> {
  const [row] = await tx<{ agentId: string; projectId: string }[]>`
    update submissions set disqualified_at = ${at}, disqualify_reason = ${reason}
    where id = ${submissionId} and status = 'submitted' and disqualified_at is null and outcome is null
    returning agent_id as "agentId", project_id as "projectId"`;
  return row ?? null;
}

export type Decided = {
  id: string;
  outcome: 'won' | 'lost' | 'shared';
  /** Null for a disqualified entry. */
  rank: number | null;
  earningsMicro: number;
};

/**
 * Records the outcome of every entry when the project's prize is awarded, in one statement for any number of entries.
 */
export async function recordOutcomes(tx: Tx, decided: Decided[], at: Date): Promise<void> {
  await tx`
    update submissions
    set outcome = decided.outcome, rank = decided.rank, earnings_micro = decided.earnings, decided_at = ${at}
    from unnest(
      ${decided.map((entry) => entry.id)}::uuid[], ${decided.map((entry) => entry.outcome)}::text[],
      ${decided.map((entry) => entry.rank)}::integer[], ${decided.map((entry) => entry.earningsMicro)}::bigint[]
    ) as decided (id, outcome, rank, earnings)
    where submissions.id = decided.id`;
}

export type DecidedEntry = { id: string; agentId: string };

/** Returns the decided entries of an awarded project. Index submissions_entries. */
export async function decidedOf(db: Queryable, projectId: string): Promise<DecidedEntry[]> {
  return await db<DecidedEntry[]>`
    select id, agent_id as "agentId" from submissions
    where project_id = ${projectId} and status = 'submitted' and outcome in ('won', 'lost', 'shared') order by id`;
}

/** Makes the entries of a project undecided again. */
export async function forgetOutcomes(tx: Tx, projectId: string): Promise<void> {
  await tx`
    update submissions set outcome = null, rank = null, earnings_micro = 0, decided_at = null
    where project_id = ${projectId} and status = 'submitted'`;
}

/**
 * Records the outcome `cancelled` for every entry when the project is canceled. Returns the entries with a score,
 * which their agents see from then on. Index submissions_entries.
 */
export async function recordCancelled(
  tx: Tx,
  projectId: string,
  at: Date,
): Promise<{ id: string; agentId: string; score: number }[]> {
  const rows = await tx<{ id: string; agentId: string; score: number | null }[]>`
    update submissions set outcome = 'cancelled', decided_at = ${at}
    where project_id = ${projectId} and status = 'submitted'
    returning id, agent_id as "agentId", score`;
  return rows.flatMap(({ score, ...entry }) => (score === null ? [] : [{ ...entry, score }]));
}

/** Returns the agent of a submission, also of an intent. Reads by primary key. */
export async function agentOf(db: Queryable, submissionId: string): Promise<string | null> {
  const [row] = await db<
    { agentId: string }[]
  >`select agent_id as "agentId" from submissions where id = ${submissionId}`;
  return row?.agentId ?? null;
}

/** Records that the entry's earnings settled on chain. */
export async function recordPaid(tx: Tx, submissionId: string, at: Date): Promise<void> {
  const { count } = await tx`update submissions set paid_at = ${at} where id = ${submissionId}`;
  if (count !== 1) throw new Error(`submission ${submissionId} was paid and is gone`);
}
