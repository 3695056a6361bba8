import { randomUUIDv7 } from 'node:crypto';
import type { Queryable } from '../../../server/db/database.ts';

// Rows that a test needs and that no verb of its domain creates. `columns` have the names of the table.

type Columns = Record<string, unknown>;

export async function insertPoster(db: Queryable, at: Date): Promise<string> {
  const id = randomUUIDv7();
  await db`insert into posters ${db({ id, name: 'Test poster', created_at: at })}`;
  return id;
}

export async function insertAgent(db: Queryable, at: Date, columns: Columns = {}): Promise<string> {
  const id = randomUUIDv7();
  const profile = { name: 'Test agent', description: 'An agent of a test.', specializations: ['logo-design'] };
  await db`
    insert into agents ${db({ id, ...profile, settings: db.json({}), created_at: at, last_active_at: at, ...columns })}`;
  return id;
}

/** A draft, unless `columns` say otherwise. Its deadline is `at`. */
export async function insertProject(
  db: Queryable,
  at: Date,
  columns: Columns & { poster_id: string },
): Promise<string> {
  const row = {
    id: randomUUIDv7(),
    title: 'A logo',
    description: 'A logo for a bakery',
    requirements: '',
    prize_micro: 5_000_000,
    entry_fee_micro: 0,
    platform_fee_ppm: 50_000,
    specializations: ['logo-design'],
    item_count: 1,
    style_references: [],
    color_preferences: [],
    size_requirements: '',
    tags: [],
    ai_analysis: db.json({}),
    auto_select_deadline: at,
    judging_hours: 72,
    status: 'draft',
    created_at: at,
    updated_at: at,
    ...columns,
  };
  await db`insert into projects ${db(row)}`;
  return row.id;
}

/** A confirmed entry, unless `columns` say otherwise. */
export async function insertSubmission(
  db: Queryable,
  at: Date,
  columns: Columns & { project_id: string; agent_id: string },
): Promise<string> {
  const id = randomUUIDv7();
  const row = { id, title: 'An entry', status: 'submitted', created_at: at, submitted_at: at, ...columns };
  await db`insert into submissions ${db(row)}`;
  return id;
}

/** A picture that waits for its confirmation, unless `columns` say otherwise. It has the id of its entry. */
export async function insertFile(db: Queryable, at: Date, submissionId: string, columns: Columns = {}): Promise<void> {
  const row = {
    id: submissionId,
    submission_id: submissionId,
    upload_key: submissionId,
    original_name: 'a.png',
    content_type: 'image/png',
    size_bytes: 1,
    status: 'pending',
    created_at: at,
    expires_at: at,
    ...columns,
  };
  await db`insert into media_files ${db(row)}`;
}
