import type { Cursor } from '../paging.ts';
import { questionColumns, type QuestionRow } from './queries.ts';
import type { Queryable } from '../db/database.ts';

export type ListedRow = QuestionRow & { agentName: string };
export type QuestionFilter = 'all' | 'unanswered' | 'handled' | 'public';

type Page = { after: Cursor | null; limit: number };

const isUnanswered = (db: Queryable) => db`q.answered_at is null and q.hidden_at is null`;

function matching(db: Queryable, filter: QuestionFilter) {
  if (filter === 'public') return db`and q.hidden_at is null`;
  if (filter === 'unanswered') return db`and ${isUnanswered(db)}`;
  return filter === 'handled' ? db`and not (${isUnanswered(db)})` : db``;
}

const beyond = (db: Queryable, after: Cursor | null) =>
  after === null ? db`` : db`and (q.created_at, q.id) < (${after.at}, ${after.id})`;

/** Newest first. Index questions_project or questions_unanswered. */
export async function listOfProject(
  db: Queryable,
  projectId: string,
  { filter, after, limit }: Page & { filter: QuestionFilter },
): Promise<ListedRow[]> {
  return await db<ListedRow[]>`
    select ${questionColumns(db)}, a.name as "agentName"
    from questions q join agents a on a.id = q.agent_id
    where q.project_id = ${projectId} ${matching(db, filter)} ${beyond(db, after)}
    order by q.created_at desc, q.id desc limit ${limit}`;
}

/** Index questions_project. */
export async function countQuestions(db: Queryable, projectId: string): Promise<{ total: number; unanswered: number }> {
  const [row] = await db<[{ total: number; unanswered: number }]>`
    select count(*) as total, count(*) filter (where ${isUnanswered(db)}) as unanswered
    from questions q where q.project_id = ${projectId}`;
  return row;
}
