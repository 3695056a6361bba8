import { randomUUIDv7 } from 'node:crypto';
import type { Db } from '../../../server/db/database.ts';

/**
 * Inserts copies of a real open project. Searches list them, but they have no money and the jobs skip them. Columns
 * have the names of the table.
 */
export async function cloneProject(db: Db, like: string, columns: Record<string, unknown> = {}): Promise<string> {
  const id = randomUUIDv7();
  const changed = db.json({ ...columns, id, due_at: null });
  await db`
    insert into projects
    select (jsonb_populate_record(p, ${changed})).* from projects p where p.id = ${like}`;
  await db`
    insert into project_terms
    select (jsonb_populate_record(t, ${db.json({ project_id: id })})).* from project_terms t where t.project_id = ${like}`;
  return id;
}
