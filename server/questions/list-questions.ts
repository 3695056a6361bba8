import type { Input, Output } from '../../contract/basics/operation.ts';
import type { questionOperations } from '../../contract/projects/questions.ts';
import type { Context } from '../deps.ts';
import { readPage } from '../paging.ts';
import { requireProject, requirePublicProject } from '../projects/public.ts';
import { shownQuestion } from './shown-question.ts';
import { countQuestions, type ListedRow, listOfProject, type QuestionFilter } from './list-queries.ts';
import type { PosterCaller, PublicCaller } from '../callers.ts';
import type { Queryable } from '../db/database.ts';

type Operations = typeof questionOperations;
type PageQuery = { limit: number; cursor?: string | undefined };

async function shownPage(db: Queryable, projectId: string, query: PageQuery, filter: QuestionFilter) {
  const { rows, end } = await readPage(
    query,
    (page) => listOfProject(db, projectId, { filter, ...page }),
    ({ createdAt, id }) => ({ at: createdAt, id }),
  );
  return { questions: rows.map(listed), ...end };
}

const listed = (row: ListedRow) => ({ ...shownQuestion(row), agent: { id: row.agentId, name: row.agentName } });

/** Returns the questions that everyone sees. A project in early access answers like a missing one. */
export async function listQuestions(
  ctx: Context<PublicCaller>,
  { params, query }: Input<Operations['listQuestions']>,
): Promise<Output<Operations['listQuestions']>> {
  await requirePublicProject(ctx.reads, params.project_id, ctx.clock.now());
  return await shownPage(ctx.reads, params.project_id, query, 'public');
}

/** Returns all questions about the poster's project. */
export async function listProjectQuestions(
  ctx: Context<PosterCaller>,
  { params, query }: Input<Operations['listProjectQuestions']>,
): Promise<Output<Operations['listProjectQuestions']>> {
  const { project_id: projectId } = params;
  await requireProject(ctx.reads, { projectId, posterId: ctx.caller.posterId });
  const [page, counts] = await Promise.all([
    shownPage(ctx.reads, projectId, query, query.filter),
    countQuestions(ctx.reads, projectId),
  ]);
  return { ...page, counts };
}

/** Returns the newest questions about a project, hidden ones too, for the operator. */
export async function newestQuestions(db: Queryable, projectId: string, limit: number) {
  return (await listOfProject(db, projectId, { filter: 'all', after: null, limit })).map(listed);
}
