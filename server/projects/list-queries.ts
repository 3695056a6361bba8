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

/**
 * The order in which a poster looks at its projects, as one number: a rank in steps of 10^13, plus the milliseconds that
 * order the projects of the rank. First the projects that wait for a choice, then decided and held results, open projects,
 * drafts, and ended projects. Drafts and ended projects come newest first.
 */
const urgencyOf = (db: Queryable) => db`
  (case p.status
    when 'judging' then (case when p.awarded_at is null and p.held_at is null then 1e13 else 2e13 end)
      + 1000 * extract(epoch from coalesce(p.judging_ends_at, p.created_at))
    when 'open' then 3e13 + 1000 * extract(epoch from coalesce(p.closes_at, p.auto_select_deadline))
    else (case p.status when 'draft' then 5e13 else 6e13 end) - 1000 * extract(epoch from p.created_at)
  end)::bigint`;

/** Returns one page of a poster's projects, the most urgent first. Sorts all of them. Index projects_poster. */
export async function listOwnByUrgency(
  db: Queryable,
  { posterId, status, limit, offset, after }: OwnPage,
): Promise<(ProjectRow & { urgency: number })[]> {
  const urgency = urgencyOf(db);
  return await db<(ProjectRow & { urgency: number })[]>`
    select ${shownColumns(db)}, ${urgency} as urgency from projects p
    where p.poster_id = ${posterId} ${status === undefined ? db`` : db`and p.status = ${status}`}
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
