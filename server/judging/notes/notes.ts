import { clearDraft, listNotes, type NoteRow } from './note-queries.ts';
import type { Queryable, Tx } from '../../ports/database.ts';

/** Returns the poster's notes on these entries by the id of the entry. Most entries have none. */
export async function notesOf(db: Queryable, submissionIds: string[]): Promise<Map<string, NoteRow>> {
  if (submissionIds.length === 0) return new Map();
  const rows = await listNotes(db, submissionIds);
  return new Map(rows.map((row) => [row.submissionId, row]));
}

/**
 * Removes the draft that a review replaces. A score without feedback keeps a draft that has text, because that text
 * exists nowhere else.
 */
export async function forgetDraft(tx: Tx, submissionId: string, feedback: string): Promise<void> {
  await clearDraft(tx, submissionId, feedback);
}
