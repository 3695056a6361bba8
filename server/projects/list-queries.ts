import type { ProjectStatus } from '../../contract/projects/projects.ts';
import type { Cursor } from '../paging.ts';
import type { Queryable } from '../db/database.ts';
import { type ProjectRow, shownColumns } from './rows.ts';

type OwnPage = {
  posterId: string;
  status: ProjectStatus | undefined;
  limit: number;
  offset: number;
  after: Cursor | null;
};

/** Returns one page of a poster's projects, newest first. Index projects_poster. */
export async function listOwn(
  db: Queryable,
  { posterId, status, limit, offset, after }: OwnPage,
): Promise<ProjectRow[]> {
  return await db<ProjectRow[]>`
    select ${shownColumns(db)} from projects p
    where p.poster_id = ${posterId} ${status === undefined ? db`` : db`and p.status = ${status}`}
      ${after === null ? db`` : db`and (p.created_at, p.id) < (${after.at}, ${after.id})`}
    order by p.created_at desc, p.id desc limit ${limit} offset ${offset}`;
}

/** The expression of the index projects_urgency. It is one number, so that a page starts at one place of the index. */
const urgencyOf = (db: Queryable) => db`
  project_urgency(p.status, (p.awarded_at is not null or p.held_at is not null),
    coalesce(p.closes_at, p.auto_select_deadline), coalesce(p.judging_ends_at, p.created_at), p.created_at)`;

/** The numbers that project_urgency has for a status: from the first, below the second. */
const URGENCY: Record<ProjectStatus, readonly [from: number, below: number]> = {
  judging: [1e13, 3e13],
  open: [3e13, 4e13],
  draft: [4e13, 5e13],
  completed: [5e13, 6e13],
  cancelled: [5e13, 6e13],
};

/** Returns one page of a poster's projects, the most urgent first. Walks the index projects_urgency. */
export async function listOwnByUrgency(
  db: Queryable,
  { posterId, status, limit, offset, after }: OwnPage,
): Promise<(ProjectRow & { urgency: number })[]> {
  const urgency = urgencyOf(db);
  const inStatus = (only: ProjectStatus) =>
    db`and p.status = ${only} and ${urgency} >= ${URGENCY[only][0]} and ${urgency} < ${URGENCY[only][1]}`;
  return await db<(ProjectRow & { urgency: number })[]>`
    select ${shownColumns(db)}, ${urgency} as urgency from projects p
    where p.poster_id = ${posterId} ${status === undefined ? db`` : inStatus(status)}
      ${after === null ? db`` : db`and (${urgency}, p.id) > (${after.at.getTime()}, ${after.id})`}
    order by ${urgency}, p.id limit ${limit} offset ${offset}`;
}

/**
 * Returns the drafts that could still open with this prize: of this poster, and of posters that paid a prize from this
 * wallet before. Index projects_status.
 */
export async function listDraftsOf(
  db: Queryable,
  { posterId, wallet, prizeMicro, now }: { posterId: string | null; wallet: string; prizeMicro: number; now: Date },
): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select p.id from projects p
    where p.status = 'draft' and p.prize_micro = ${prizeMicro} and p.auto_select_deadline > ${now}
      and (p.poster_id = ${posterId}
        or exists (select 1 from projects o where o.poster_id = p.poster_id and o.funding_wallet = ${wallet}))`;
  return rows.map(({ id }) => id);
}

/** Returns whether the poster has funded a project from this wallet. Index projects_poster. */
export async function hasFundedFrom(
  db: Queryable,
  { posterId, wallet }: { posterId: string; wallet: string },
): Promise<boolean> {
  const [row] = await db`select 1 from projects where poster_id = ${posterId} and funding_wallet = ${wallet} limit 1`;
  return row !== undefined;
}
