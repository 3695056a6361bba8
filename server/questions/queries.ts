import type { Queryable, Tx } from '../db/database.ts';

export type QuestionRow = {
  id: string;
  projectId: string;
  agentId: string;
  question: string;
  createdAt: Date;
  answer: string | null;
  answeredAt: Date | null;
  answerChangedAt: Date | null;
  answerChanges: number;
  hiddenAt: Date | null;
  hiddenReason: string | null;
};

export const questionColumns = (db: Queryable) => db`
  q.id, q.project_id as "projectId", q.agent_id as "agentId", q.question, q.created_at as "createdAt", q.answer,
  q.answered_at as "answeredAt", q.answer_changed_at as "answerChangedAt", q.answer_changes as "answerChanges",
  q.hidden_at as "hiddenAt", q.hidden_reason as "hiddenReason"`;

type NewQuestion = Pick<QuestionRow, 'id' | 'projectId' | 'agentId' | 'question'> & { at: Date };

export async function insertQuestion(tx: Tx, given: NewQuestion): Promise<QuestionRow> {
  const [row] = await tx<[QuestionRow]>`
    insert into questions as q (id, project_id, agent_id, question, created_at)
    values (${given.id}, ${given.projectId}, ${given.agentId}, ${given.question}, ${given.at})
    returning ${questionColumns(tx)}`;
  return row;
}

/** Counts hidden questions too. Index questions_agent. */
export async function countQuestionsSince(tx: Tx, agentId: string, since: Date): Promise<number> {
  const [row] = await tx<[{ count: number }]>`
    select count(*) as count from questions where agent_id = ${agentId} and created_at >= ${since}`;
  return row.count;
}

/**
 * Counts the questions of a project that are shown and have no answer. Other requests for the project wait
 * until the transaction ends. Index questions_project.
 */
export async function countUnanswered(tx: Tx, projectId: string): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`questions:${projectId}`}, 0))`;
  const [row] = await tx<[{ count: number }]>`
    select count(*) as count from questions
    where project_id = ${projectId} and answered_at is null and hidden_at is null`;
  return row.count;
}

export async function findQuestion(db: Queryable, id: string): Promise<QuestionRow | null> {
  const [row] = await db<QuestionRow[]>`select ${questionColumns(db)} from questions q where q.id = ${id}`;
  return row ?? null;
}

/** The caller holds the project's lock, which every change of an existing question takes first. */
export async function updateAnswer(tx: Tx, id: string, { answer, at }: { answer: string; at: Date }) {
  const [row] = await tx<[QuestionRow]>`
    update questions q set answer = ${answer}, answered_at = coalesce(q.answered_at, ${at}),
      answer_changed_at = case when q.answered_at is null then null else ${at}::timestamptz end,
      answer_changes = q.answer_changes + (q.answered_at is not null)::integer
    where q.id = ${id} returning ${questionColumns(tx)}`;
  return row;
}

/** `reason` is null to show the question again. The caller holds the project's lock. */
export async function updateHidden(
  tx: Tx,
  id: string,
  { reason, at }: { reason: string | null; at: Date },
): Promise<QuestionRow> {
  const [row] = await tx<[QuestionRow]>`
    update questions q set hidden_reason = ${reason}, hidden_at = ${reason === null ? null : at}
    where q.id = ${id} returning ${questionColumns(tx)}`;
  return row;
}
