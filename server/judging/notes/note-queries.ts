import type { Queryable, Tx } from '../../db/database.ts';

export type Mark = 'shortlist' | 'out';
export type NoteRow = { submissionId: string; mark: Mark | null; feedbackDraft: string | null; updatedAt: Date };

const noteColumns = (db: Queryable) => db`
  submission_id as "submissionId", mark, feedback_draft as "feedbackDraft", updated_at as "updatedAt"`;

/** `undefined` leaves a value as it is. */
export type NoteChange = { mark?: Mark | null | undefined; feedbackDraft?: string | null | undefined; at: Date };

export async function upsertNote(
  tx: Tx,
  submissionId: string,
  { mark, feedbackDraft, at }: NoteChange,
): Promise<NoteRow> {
  const [row] = await tx<[NoteRow]>`
    insert into entry_notes (submission_id, mark, feedback_draft, updated_at)
    values (${submissionId}, ${mark ?? null}, ${feedbackDraft ?? null}, ${at})
    on conflict (submission_id) do update set
      mark = case when ${mark !== undefined} then excluded.mark else entry_notes.mark end,
      feedback_draft = case when ${feedbackDraft !== undefined} then excluded.feedback_draft
        else entry_notes.feedback_draft end,
      updated_at = excluded.updated_at
    returning ${noteColumns(tx)}`;
  return row;
}

/** Returns the poster's notes on these entries by the id of the entry. Most entries have none. */
export async function notesOf(db: Queryable, submissionIds: string[]): Promise<Map<string, NoteRow>> {
  if (submissionIds.length === 0) return new Map();
  const rows = await db<NoteRow[]>`
    select ${noteColumns(db)} from entry_notes where submission_id = any(${submissionIds})`;
  return new Map(rows.map((row) => [row.submissionId, row]));
}

/** Removes the drafts of a project's entries and returns those with text. The caller holds the project's lock. */
export async function takeDrafts(tx: Tx, projectId: string): Promise<{ submissionId: string; feedback: string }[]> {
  return await tx<{ submissionId: string; feedback: string }[]>`
    with taken as (
      select n.submission_id, n.feedback_draft from entry_notes n join submissions s on s.id = n.submission_id
      where s.project_id = ${projectId} and s.status = 'submitted' and s.disqualified_at is null and n.feedback_draft <> ''
      for update of n
    )
    update entry_notes n set feedback_draft = null from taken where n.submission_id = taken.submission_id
    returning n.submission_id as "submissionId", taken.feedback_draft as feedback`;
}

/**
 * Removes the draft that a review replaces. A score without feedback keeps a draft that has text, because that text
 * exists nowhere else.
 */
export async function forgetDraft(tx: Tx, submissionId: string, feedback: string): Promise<void> {
  await tx`
    update entry_notes set feedback_draft = null
    where submission_id = ${submissionId} and (${feedback}::text <> '' or feedback_draft = '')`;
}
