import type { ProjectStatus } from '../../../contract/projects/projects.ts';
import type { Cursor, Times } from '../../paging.ts';
import type { Queryable } from '../../ports/database.ts';

export type ListedPosterRow = {
  id: string;
  name: string;
  walletAddress: string | null;
  createdAt: Date;
  suspendedAt: Date | null;
  suspendReason: string | null;
};

export type PosterSearch = { namePrefix: string } | { idFrom: string; idTo: string };
export type PosterFilter = Times & { status: 'active' | 'suspended' | undefined; search: PosterSearch | null };

const DAY_MS = 86_400_000;

/** The smallest UUIDv7 of a time. */
function idAt(ms: number): string {
  const digits = Math.max(0, ms).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`;
}

/**
 * Posters who registered in a range of times. Ids begin with their time, so the walk along the ids begins and ends near the
 * range. A day more at each end is for clocks that differ.
 */
function registered(db: Queryable, { since, before }: Times) {
  return db`
    ${since === undefined ? db`` : db`and p.created_at >= ${since} and d.poster_id >= ${idAt(since.getTime() - DAY_MS)}::uuid`}
    ${before === undefined ? db`` : db`and p.created_at < ${before} and d.poster_id < ${idAt(before.getTime() + DAY_MS)}::uuid`}`;
}

const columns = (db: Queryable) => db`
  p.id, p.name, p.wallet_address as "walletAddress", p.created_at as "createdAt",
  d.suspended_at as "suspendedAt", d.suspend_reason as "suspendReason"`;

/**
 * Newest first; an id begins with its time. A search by name sorts by name. Each list walks one index and stops after a
 * page: the primary key, poster_directory_suspensions, or poster_directory_name.
 */
export async function listPosterRows(
  db: Queryable,
  { status, search, ...times }: PosterFilter,
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<ListedPosterRow[]> {
  const inStatus =
    status === undefined
      ? db``
      : status === 'suspended'
        ? db`and d.suspended_at is not null`
        : db`and d.suspended_at is null`;
  const filter = db`${inStatus} ${registered(db, times)}`;
  if (search && 'namePrefix' in search) {
    const { namePrefix: prefix } = search;
    const last = after && db`(select name_key from poster_directory where poster_id = ${after.id})`;
    return await db<ListedPosterRow[]>`
      select ${columns(db)} from poster_directory d join posters p on p.id = d.poster_id
      where d.name_key >= lower(${prefix}) collate "C" and d.name_key < (lower(${prefix}) || chr(1114111)) collate "C" ${filter}
        ${last && after ? db`and (d.name_key, d.poster_id) > (${last}, ${after.id}::uuid)` : db``}
      order by d.name_key, d.poster_id limit ${limit}`;
  }
  return await db<ListedPosterRow[]>`
    select ${columns(db)} from poster_directory d join posters p on p.id = d.poster_id
    where true ${filter} ${search ? db`and d.poster_id between ${search.idFrom}::uuid and ${search.idTo}::uuid` : db``}
      ${after ? db`and d.poster_id < ${after.id}` : db``}
    order by d.poster_id desc limit ${limit}`;
}

export type PosterDetailRow = ListedPosterRow & { email: string | null; contactAddress: string | null };

export async function findPosterRow(db: Queryable, id: string): Promise<PosterDetailRow | null> {
  const [row] = await db<PosterDetailRow[]>`
    select ${columns(db)}, p.email, c.address as "contactAddress"
    from poster_directory d join posters p on p.id = d.poster_id
      left join mail_contacts c on c.account_kind = 'poster' and c.account_id = p.id
    where p.id = ${id}`;
  return row ?? null;
}

export type ProjectSums = { posterId: string; status: ProjectStatus; projects: number; prizesMicro: number };

/** Counts the projects of posters by status. Index projects_poster. */
export async function sumProjectsOf(db: Queryable, posterIds: string[]): Promise<ProjectSums[]> {
  return await db<ProjectSums[]>`
    select poster_id as "posterId", status, count(*)::integer as projects,
      coalesce(sum(prize_micro) filter (where published_at is not null), 0)::bigint as "prizesMicro"
    from projects where poster_id = any(${posterIds}::uuid[]) group by 1, 2`;
}
