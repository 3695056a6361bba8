import { type ProjectStatus, projectStatus } from '../../../contract/projects/projects.ts';
import type { Cursor, Times } from '../../paging.ts';
import { type Canceller, heldColumns, type HeldResult } from '../../projects/public.ts';
import type { PendingQuery, Queryable } from '../../ports/database.ts';

export type AnyProjectRow = HeldResult & {
  closesAt: Date | null;
  latestDeadline: Date | null;
  id: string;
  posterId: string;
  title: string;
  status: ProjectStatus;
  prizeMicro: number;
  entryFeeMicro: number;
  totalSubmissions: number;
  createdAt: Date;
  publishedAt: Date | null;
  deadline: Date;
  closedAt: Date | null;
  judgingEndsAt: Date | null;
  awardedAt: Date | null;
  completedAt: Date | null;
  cancelReason: string | null;
  cancelledAt: Date | null;
  cancelledBy: Canceller | null;
  noWinnerReason: string | null;
};

const listedColumns = (db: Queryable) => db`
  p.id, p.poster_id as "posterId", p.title, p.status, p.prize_micro as "prizeMicro", p.entry_fee_micro as "entryFeeMicro",
  p.total_submissions as "totalSubmissions", p.created_at as "createdAt", p.published_at as "publishedAt",
  p.auto_select_deadline as deadline, p.closed_at as "closedAt", p.judging_ends_at as "judgingEndsAt", p.awarded_at as "awardedAt",
  p.completed_at as "completedAt", p.cancel_reason as "cancelReason", p.cancelled_at as "cancelledAt",
  p.cancelled_by as "cancelledBy", p.no_winner_reason as "noWinnerReason", p.closes_at as "closesAt", p.latest_deadline as "latestDeadline",
  ${heldColumns(db)}`;

export type AnyProjectFilter = Times & {
  status?: ProjectStatus | undefined;
  posterId?: string | undefined;
  /** The bounds of the prize, in microdollars. */
  minMicro?: number | undefined;
  maxMicro?: number | undefined;
  /** Only these, if they are known. */
  ids: string[] | null;
  /** A range of ids, a list of ids, or words of the title in the syntax of `to_tsquery`. */
  search: { idFrom: string; idTo: string } | { ids: string[] } | { words: string } | null;
};

type Page = { after: Cursor | null; limit: number };

/**
 * The ids of the titles that match, or null when more than `most` match. Indexes projects_title,
 * projects_unpublished_title.
 */
export async function matchTitles(db: Queryable, words: string, most: number): Promise<string[] | null> {
  const matches = db`to_tsvector('simple', title) @@ to_tsquery('simple', ${words})`;
  const rows = await db<{ id: string }[]>`
    select id from (
      (select id from projects where published_at is not null and ${matches} limit ${most + 1})
      union all (select id from projects where published_at is null and ${matches} limit ${most + 1})
    ) matching limit ${most + 1}`;
  return rows.length > most ? null : rows.map(({ id }) => id);
}

/**
 * Newest first. A poster's projects come from projects_poster, and an id prefix walks the primary key, which is in time order.
 * Other lists walk projects_status for each status. Where few titles match, their ids are looked up first. Where many match,
 * the walk soon meets a page of them.
 */
export async function listAnyProjects(db: Queryable, filter: AnyProjectFilter, page: Page): Promise<AnyProjectRow[]> {
  const { status, posterId, search, ids } = filter;
  const { after, limit } = page;
  const inRange = rangeOf(db, filter);
  if (search && 'idFrom' in search) return await listByIds(db, { status, posterId, ...search, inRange }, page);
  const titled =
    search && 'words' in search
      ? db`and to_tsvector('simple', p.title) @@ to_tsquery('simple', ${search.words})`
      : db`${ids ? db`and p.id = any(${ids}::uuid[])` : db``}`;
  if (posterId !== undefined || ids)
    return await db<AnyProjectRow[]>`
      select ${listedColumns(db)} from projects p
      where true ${posterId === undefined ? db`` : db`and poster_id = ${posterId}`}
        ${status ? db`and status = ${status}` : db``} ${titled} ${inRange}
        ${after ? db`and (created_at, id) < (${after.at}, ${after.id})` : db``}
      order by created_at desc, id desc limit ${limit}`;
  const streams = streamsOf(db, status, page, db`${titled} ${inRange}`);
  return await db<AnyProjectRow[]>`
    select ${listedColumns(db)} from (
      select created_at, id from (${streams}) streams order by created_at desc, id desc limit ${limit}
    ) page join projects p using (id)
    order by page.created_at desc, page.id desc`;
}

type Condition = PendingQuery;

/** The time of creation, and the prize. */
function rangeOf(
  db: Queryable,
  { since, before, minMicro, maxMicro }: Omit<AnyProjectFilter, 'search' | 'ids'>,
): Condition {
  return db`
    ${since === undefined ? db`` : db`and p.created_at >= ${since}`}
    ${before === undefined ? db`` : db`and p.created_at < ${before}`}
    ${minMicro === undefined ? db`` : db`and p.prize_micro >= ${minMicro}`}
    ${maxMicro === undefined ? db`` : db`and p.prize_micro <= ${maxMicro}`}`;
}

/**
 * The ids of the projects with such a prize, or null when more than `most` have one. Index project_listings_prize for published
 * projects. Drafts have no listing and no index of prizes: a walk along projects_unpublished reads them, `most` at most.
 */
export async function matchPrizes(
  db: Queryable,
  {
    status,
    minMicro = 0,
    maxMicro = Number.MAX_SAFE_INTEGER,
  }: Pick<AnyProjectFilter, 'status' | 'minMicro' | 'maxMicro'>,
  most: number,
): Promise<string[] | null> {
  const statuses = status === undefined ? projectStatus.options : [status];
  const rows = await db<{ id: string }[]>`
    select id from (
      (select project_id as id from project_listings
        where spec_key = '' and status = any(${statuses}) and prize_micro between ${minMicro} and ${maxMicro} limit ${most + 1})
      union all
      (select id from projects
        where published_at is null and status = any(${statuses}) and prize_micro between ${minMicro} and ${maxMicro} limit ${most + 1})
    ) matching limit ${most + 1}`;
  return rows.length > most ? null : rows.map(({ id }) => id);
}

function streamsOf(
  db: Queryable,
  status: ProjectStatus | undefined,
  { after, limit }: Page,
  titled: Condition,
): Condition {
  const walks = projectStatus.options
    .filter((one) => !status || one === status)
    .map(
      (one) => db`(
        select p.created_at, p.id from projects p
        where p.status = ${one} ${titled} ${after ? db`and (p.created_at, p.id) < (${after.at}, ${after.id})` : db``}
        order by p.created_at desc, p.id desc limit ${limit})`,
    );
  return walks.reduce((all, one) => db`${all} union all ${one}`);
}

async function listByIds(
  db: Queryable,
  {
    status,
    posterId,
    idFrom,
    idTo,
    inRange,
  }: {
    inRange: Condition;
    status: ProjectStatus | undefined;
    posterId: string | undefined;
    idFrom: string;
    idTo: string;
  },
  { after, limit }: Page,
): Promise<AnyProjectRow[]> {
  return await db<AnyProjectRow[]>`
    select ${listedColumns(db)} from projects p
    where id between ${idFrom}::uuid and ${idTo}::uuid ${status ? db`and status = ${status}` : db``}
      ${posterId === undefined ? db`` : db`and poster_id = ${posterId}`} ${inRange} ${after ? db`and id < ${after.id}` : db``}
    order by id desc limit ${limit}`;
}

export type AnyProjectDetailRow = AnyProjectRow & {
  description: string;
  requirements: string;
  specializations: string[];
  winnerSubmissionId: string | null;
};

export async function findAnyProject(db: Queryable, projectId: string): Promise<AnyProjectDetailRow | null> {
  const [row] = await db<AnyProjectDetailRow[]>`
    select ${listedColumns(db)}, p.description, p.requirements, p.specializations, p.winner_submission_id as "winnerSubmissionId"
    from projects p where p.id = ${projectId}`;
  return row ?? null;
}
