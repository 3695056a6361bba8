import type { Queryable, Tx } from '../db/database.ts';

/** Selects the entries that are judged: confirmed and not disqualified. */
const eligible = (db: Queryable, projectId: string) => db`
  project_id = ${projectId} and status = 'submitted' and disqualified_at is null`;

/** Returns the ids in their own order, which says nothing about merit. Index submissions_entries. */
export async function listEligible(db: Queryable, projectId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`select id from submissions where ${eligible(db, projectId)} order by id`;
  return rows.map((row) => row.id);
}

/** Locks the eligible entries until the transaction ends. */
export async function lockEligible(tx: Tx, projectId: string): Promise<{ id: string; scored: boolean }[]> {
  return await tx<{ id: string; scored: boolean }[]>`
    select id, score is not null as scored from submissions where ${eligible(tx, projectId)}
    order by id for no key update`;
}

export async function hasScores(db: Queryable, projectId: string): Promise<boolean> {
  const rows = await db`
    select 1 from submissions where ${eligible(db, projectId)} and score is not null limit 1`;
  return rows.length === 1;
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

export type AiScore = { submissionId: string; score: number; reason: string };

/** Keeps feedback that the poster wrote without a score. */
export async function writeAiScores(tx: Tx, scores: AiScore[], now: Date): Promise<void> {
  await tx`
    update submissions
    set score = given.score, score_source = 'ai', feedback = coalesce(feedback, given.reason), scored_at = ${now}
    from unnest(${scores.map((one) => one.submissionId)}::uuid[], ${scores.map((one) => one.score)}::smallint[],
      ${scores.map((one) => one.reason)}::text[]) given (id, score, reason)
    where submissions.id = given.id`;
}
