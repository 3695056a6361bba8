import type { ProjectStatus } from '../../contract/projects/projects.ts';
import type { Input, Output } from '../../contract/basics/operation.ts';
import type { operatorPosterOperations } from '../../contract/operator/posters.ts';
import { type Cursor, inRanges } from '../paging.ts';
import type { Queryable } from '../db/database.ts';

type Operations = typeof operatorPosterOperations;
type Listed = Output<Operations['listPosters']>['posters'][number];
type Detail = Output<Operations['getPosterAsOperator']>['poster'];
export type ListedPosterRow = Omit<Listed, 'status' | 'projects'>;

type PosterQuery = Input<Operations['listPosters']>['query'];

const columns = (db: Queryable) => db`
  p.id, p.name, p.wallet_address, p.created_at, p.suspended_at, p.suspend_reason`;

/** Newest first; an id begins with its time. Indexes: the primary key, and posters_name. */
export async function listPosterRows(
  db: Queryable,
  query: PosterQuery,
  { after, limit }: { after: Cursor | null; limit: number },
): Promise<ListedPosterRow[]> {
  const { state, search } = query;
  const status = db`case when p.suspended_at is null then 'active' else 'suspended' end`;
  const named = db`and lower(p.name) collate "C" >= lower(${search ?? ''}) collate "C"
    and lower(p.name) collate "C" < (lower(${search ?? ''}) || chr(1114111)) collate "C"`;
  return await db<ListedPosterRow[]>`
    select ${columns(db)} from posters p
    where true ${state === undefined ? db`` : db`and ${status} = any(${state})`}
      ${search === undefined ? db`` : named} ${inRanges(db, query, { at: db`p.created_at` })}
      ${after === null ? db`` : db`and p.id < ${after.id}`}
    order by p.id desc limit ${limit}`;
}

type DetailRow = ListedPosterRow & Pick<Detail, 'email' | 'contact_address'>;

export async function findPosterRow(db: Queryable, id: string): Promise<DetailRow | null> {
  const [row] = await db<DetailRow[]>`
    select ${columns(db)}, p.email, c.address as contact_address
    from posters p
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
