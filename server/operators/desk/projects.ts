import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { operatorProjectOperations } from '../../../contract/operator/projects.ts';
import type { Context } from '../../deps.ts';
import { possibleActs } from '../../judging/public.ts';
import { payoutOverviews } from '../../payouts/public.ts';
import type { OperatorCaller } from '../../callers.ts';
import type { Queryable } from '../../db/database.ts';
import { posterNames } from '../../posters/public.ts';
import { projectNotFound, shownHold, wordsQuery } from '../../projects/public.ts';
import { newestQuestions } from '../../questions/public.ts';
import { type AnyProjectRow, findAnyProject, listAnyProjects } from './project-queries.ts';

type Operations = typeof operatorProjectOperations;
type Listed = Output<Operations['listProjectsAsOperator']>['projects'][number];

const MOST_QUESTIONS = 100;

/** Lists the projects of all posters, drafts included, newest first. */
export async function listProjectsAsOperator(
  { reads }: Context<OperatorCaller>,
  { query }: Input<Operations['listProjectsAsOperator']>,
): Promise<Output<Operations['listProjectsAsOperator']>> {
  const words = query.search === undefined ? undefined : wordsQuery(query.search);
  const { rows, end } = await listAnyProjects(reads, query, words);
  return { projects: await shownProjects(reads, rows), ...end };
}

/** Returns one project of any poster, with its brief and its questions. */
export async function getProjectAsOperator(
  { reads }: Context<OperatorCaller>,
  { params: { project_id: projectId } }: Input<Operations['getProjectAsOperator']>,
): Promise<Output<Operations['getProjectAsOperator']>> {
  const row = await findAnyProject(reads, projectId);
  const [project] = row ? await shownProjects(reads, [row]) : [];
  if (!row || !project) throw projectNotFound();
  const questions = await newestQuestions(reads, projectId, MOST_QUESTIONS);
  return { project: { ...row, ...project, acts: possibleActs(project), questions } };
}

/** Adds posters and payouts to projects, with two statements for any number of projects. */
async function shownProjects(db: Queryable, rows: AnyProjectRow[]): Promise<Listed[]> {
  const owing = rows.filter(({ awarded_at: at, status }) => at !== null || status === 'cancelled');
  const [posters, payouts] = await Promise.all([
    posterNames(
      db,
      rows.map((row) => row.poster_id),
    ),
    payoutOverviews(
      db,
      owing.map(({ id }) => id),
      1,
    ),
  ]);
  return rows.map((row) => ({
    ...row,
    poster: { id: row.poster_id, name: posters.get(row.poster_id)?.name ?? '' },
    result_on_hold: shownHold(row),
    hold_reason: row.holdReason,
    no_winner_reason: row.status === 'cancelled' ? row.no_winner_reason : null,
    payout_status: payouts.get(row.id)?.status ?? null,
  }));
}
