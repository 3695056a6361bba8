import type { Input, Output } from '../../contract/basics/operation.ts';
import type { questionOperations } from '../../contract/projects/questions.ts';
import type { Context } from '../deps.ts';
import { decodeCursor, pageOf } from '../paging.ts';
import { requireProject, requirePublicProject } from '../projects/public.ts';
import type { QuestionRow } from './queries.ts';
import { shownQuestion } from './shown-question.ts';
import { countQuestions, type ListedRow, listOfProject } from './list-queries.ts';
import type { PosterCaller, PublicCaller } from '../callers.ts';
import type { Queryable } from '../db/database.ts';

type Operations = typeof questionOperations;
type PageQuery = { limit: number; cursor?: string | undefined };

const positionOf = ({ limit, cursor }: PageQuery) => ({
  limit: limit + 1,
  after: cursor === undefined ? null : decodeCursor(cursor),
});

function shownPage<Row extends QuestionRow, Shown>(found: Row[], { limit }: PageQuery, show: (row: Row) => Shown) {
  const { rows, hasMore, nextCursor } = pageOf(found, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
  return { questions: rows.map(show), has_more: hasMore, next_cursor: nextCursor };
}

const listed = (row: ListedRow) => ({ ...shownQuestion(row), agent: { id: row.agentId, name: row.agentName } });

/** Returns the questions that everyone sees. A project in early access answers like a missing one. */
export async function listQuestions(
  ctx: Context<PublicCaller>,
  { params, query }: Input<Operations['listQuestions']>,
): Promise<Output<Operations['listQuestions']>> {
  const position = positionOf(query);
  await requirePublicProject(ctx.reads, params.project_id, ctx.clock.now());
  const rows = await listOfProject(ctx.reads, params.project_id, { filter: 'public', ...position });
  return shownPage(rows, query, listed);
}

/** Returns all questions about the poster's project. */
export async function listProjectQuestions(
  ctx: Context<PosterCaller>,
  { params, query }: Input<Operations['listProjectQuestions']>,
): Promise<Output<Operations['listProjectQuestions']>> {
  const { project_id: projectId } = params;
  const position = positionOf(query);
  await requireProject(ctx.reads, { projectId, posterId: ctx.caller.posterId });
  const [rows, counts] = await Promise.all([
    listOfProject(ctx.reads, projectId, { filter: query.filter, ...position }),
    countQuestions(ctx.reads, projectId),
  ]);
  return { ...shownPage(rows, query, listed), counts };
}

/** Returns the newest questions about a project, hidden ones too, for the operator. */
export async function newestQuestions(db: Queryable, projectId: string, limit: number) {
  return (await listOfProject(db, projectId, { filter: 'all', after: null, limit })).map(listed);
}
