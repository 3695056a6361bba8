import type { Input, Output } from '../../contract/basics/operation.ts';
import type { operatorPosterOperations } from '../../contract/operator/posters.ts';
import type { Context, Deps } from '../deps.ts';
import { readPage } from '../paging.ts';
import type { OperatorCaller } from '../callers.ts';
import { changePosterStatus, posterNotFound } from './suspension.ts';
import {
  findPosterRow,
  listPosterRows,
  type ListedPosterRow,
  type ProjectSums,
  sumProjectsOf,
} from './poster-queries.ts';

type Operations = typeof operatorPosterOperations;
type Listed = Output<Operations['listPosters']>['posters'][number];
type Detail = Output<Operations['getPosterAsOperator']>['poster'];

const NO_PROJECTS = { draft: 0, open: 0, judging: 0, completed: 0, cancelled: 0 };

/** Lists posters, newest first. */
export async function listPosters(
  { reads }: Context<OperatorCaller>,
  { query }: Input<Operations['listPosters']>,
): Promise<Output<Operations['listPosters']>> {
  const { rows, end } = await readPage(
    query,
    async (page) => await listPosterRows(reads, query, page),
    ({ created_at: at, id }) => ({ at, id }),
  );
  const sums = await sumProjectsOf(
    reads,
    rows.map(({ id }) => id),
  );
  const byPoster = Map.groupBy(sums, ({ posterId }) => posterId);
  return { posters: rows.map((row) => shown(row, byPoster.get(row.id) ?? [])), ...end };
}

function shown(row: ListedPosterRow, sums: ProjectSums[]): Listed {
  return {
    ...row,
    status: row.suspended_at === null ? 'active' : 'suspended',
    projects: sums.reduce((sum, { projects }) => sum + projects, 0),
  };
}

/** Returns one poster with the sums of its projects. */
export async function getPosterAsOperator(
  ctx: Context<OperatorCaller>,
  { params }: Input<Operations['getPosterAsOperator']>,
): Promise<Output<Operations['getPosterAsOperator']>> {
  return { poster: await detailOf(ctx, params.poster_id) };
}

/** Sets a poster's status, and returns the poster as the operator sees it. */
export async function setPosterStatus(
  ctx: Context<OperatorCaller>,
  { params, body }: Input<Operations['setPosterStatus']>,
): Promise<Output<Operations['setPosterStatus']>> {
  await changePosterStatus(ctx, { params, body });
  return { message: `The poster is ${body.status}.`, poster: await detailOf(ctx, params.poster_id) };
}

async function detailOf({ reads }: Pick<Deps, 'reads'>, posterId: string): Promise<Detail> {
  const [row, sums] = await Promise.all([findPosterRow(reads, posterId), sumProjectsOf(reads, [posterId])]);
  if (!row) throw posterNotFound();
  const of = (status: ProjectSums['status']) => sums.find((sum) => sum.status === status);
  return {
    ...row,
    ...shown(row, sums),
    by_status: { ...NO_PROJECTS, ...Object.fromEntries(sums.map(({ status, projects }) => [status, projects])) },
    prizes_micro: sums.reduce((sum, { prizesMicro }) => sum + prizesMicro, 0),
    escrow_micro: (of('open')?.prizesMicro ?? 0) + (of('judging')?.prizesMicro ?? 0),
  };
}
