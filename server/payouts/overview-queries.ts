import { payoutColumns, type PayoutState, type ProjectPayout } from './queries.ts';
import type { Queryable } from '../ports/database.ts';

/** The oldest of each project, at most so many. Index payouts_project, a stretch per project. */
export async function listOldest(db: Queryable, projectIds: string[], most: number): Promise<ProjectPayout[]> {
  return await db<ProjectPayout[]>`
    select oldest.* from unnest(${projectIds}::uuid[]) as shown (shown_id) cross join lateral (
      select ${payoutColumns(db)} from payouts where project_id = shown_id order by created_at, id limit ${most}
    ) oldest`;
}

/** In which states payouts of each project are. Index payouts_project. */
export async function listStates(
  db: Queryable,
  projectIds: string[],
): Promise<{ projectId: string; states: PayoutState[] }[]> {
  return await db<{ projectId: string; states: PayoutState[] }[]>`
    select project_id as "projectId", array_agg(distinct state) as states from payouts
    where project_id = any(${projectIds}) group by project_id`;
}

/** Index payouts_project. */
export async function findUnsettledOf(db: Queryable, projectId: string, except: string): Promise<boolean> {
  const [row] = await db`
    select 1 from payouts where project_id = ${projectId} and state <> 'settled' and id <> ${except} limit 1`;
  return row !== undefined;
}

/** Prizes and shares that were ever owed for a project. Index payouts_project. */
export async function sumAwarded(db: Queryable, projectId: string): Promise<number> {
  const [row] = await db<{ micro: number }[]>`
    select coalesce(sum(amount_micro), 0)::bigint as micro from payouts
    where project_id = ${projectId} and kind <> 'refund'`;
  return row?.micro ?? 0;
}
