import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { operatorPosterOperations } from '../../../contract/operator/posters.ts';
import type { Context, Deps } from '../../deps.ts';
import { decodeCursor, pageOf, timesOfDays } from '../../paging.ts';
import type { OperatorCaller } from '../../ports/callers.ts';
import { changePosterStatus, posterNotFound } from '../../posters/public.ts';
import {
  findPosterRow,
  listPosterRows,
  type ListedPosterRow,
  type PosterSearch,
  type ProjectSums,
  sumProjectsOf,
} from './poster-queries.ts';

type Operations = typeof operatorPosterOperations;
type Listed = Output<Operations['listPosters']>['posters'][number];
type Detail = Output<Operations['getPosterAsOperator']>['poster'];

// Fewer than 8 digits are read as the start of a name, as in the list of agents.
const ID_PREFIX = /^[0-9a-f]{8}[0-9a-f-]*$/i;
const ID_DIGITS = 32;

/** Lists posters, newest first, or by name. */
export async function listPosters(
  { views }: Context<OperatorCaller>,
  { query }: Input<Operations['listPosters']>,
): Promise<Output<Operations['listPosters']>> {
  const { status, search, limit, cursor } = query;
  const after = cursor === undefined ? null : decodeCursor(cursor);
  const filter = { status, search: search === undefined ? null : readSearch(search), ...timesOfDays(query) };
  const rows = await listPosterRows(views, filter, { after, limit: limit + 1 });
  const page = pageOf(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
  const sums = await sumProjectsOf(
    views,
    page.rows.map(({ id }) => id),
  );
  const byPoster = Map.groupBy(sums, ({ posterId }) => posterId);
  return {
    posters: page.rows.map((row) => shown(row, byPoster.get(row.id) ?? [])),
    has_more: page.hasMore,
    next_cursor: page.nextCursor,
  };
}

function readSearch(text: string): PosterSearch {
  const digits = text.replaceAll('-', '').toLowerCase();
  if (ID_PREFIX.test(text) && digits.length <= ID_DIGITS)
    return { idFrom: digits.padEnd(ID_DIGITS, '0'), idTo: digits.padEnd(ID_DIGITS, 'f') };
  return { namePrefix: text };
}

function shown(row: ListedPosterRow, sums: ProjectSums[]): Listed {
  return {
    id: row.id,
    name: row.name,
    status: row.suspendedAt === null ? 'active' : 'suspended',
    suspended_at: row.suspendedAt,
    suspend_reason: row.suspendReason,
    wallet_address: row.walletAddress,
    created_at: row.createdAt,
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

async function detailOf({ views }: Pick<Deps, 'views'>, posterId: string): Promise<Detail> {
  const [row, sums] = await Promise.all([findPosterRow(views, posterId), sumProjectsOf(views, [posterId])]);
  if (!row) throw posterNotFound();
  const of = (status: ProjectSums['status']) => sums.find((sum) => sum.status === status);
  const count = (status: ProjectSums['status']) => of(status)?.projects ?? 0;
  return {
    ...shown(row, sums),
    email: row.email,
    contact_address: row.contactAddress,
    by_status: {
      draft: count('draft'),
      open: count('open'),
      judging: count('judging'),
      completed: count('completed'),
      cancelled: count('cancelled'),
    },
    prizes_micro: sums.reduce((sum, { prizesMicro }) => sum + prizesMicro, 0),
    escrow_micro: (of('open')?.prizesMicro ?? 0) + (of('judging')?.prizesMicro ?? 0),
  };
}
