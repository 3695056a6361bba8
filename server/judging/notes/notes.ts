import { listNotes, type NoteRow } from './note-queries.ts';
import type { Queryable } from '../../db/database.ts';

/** Returns the poster's notes on these entries by the id of the entry. Most entries have none. */
export async function notesOf(db: Queryable, submissionIds: string[]): Promise<Map<string, NoteRow>> {
  if (submissionIds.length === 0) return new Map();
  const rows = await listNotes(db, submissionIds);
  return new Map(rows.map((row) => [row.submissionId, row]));
}
