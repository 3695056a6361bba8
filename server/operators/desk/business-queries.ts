import type { Output } from '../../../contract/basics/operation.ts';
import type { overviewOperations } from '../../../contract/operator/overview.ts';
import type { Queryable } from '../../db/database.ts';

type Business = Output<typeof overviewOperations.getOverview>['business'];

/** A median of one or two choices says nothing. */
const FEWEST_CHOICES = 3;

/** Sums the published projects since a time. Index projects_status, for each status. */
export async function sumMarket(db: Queryable, since: Date): Promise<Omit<Business, 'registrations'>> {
  const [row] = await db<[Omit<Business, 'registrations'>]>`
    select count(*)::integer as published, count(*) filter (where total_submissions > 0)::integer as entered,
      coalesce(sum(total_submissions), 0)::bigint as entries,
      count(awarded_at)::integer as awarded, count(*) filter (where selection = 'poster')::integer as by_poster,
      case when count(*) filter (where selection = 'poster') >= ${FEWEST_CHOICES}
        then round(percentile_cont(0.5) within group (order by extract(epoch from awarded_at - closed_at)::float8)
          filter (where selection = 'poster'))::integer end as median_seconds
    from projects
    where status in ('open', 'judging', 'completed', 'cancelled') and created_at >= ${since} and published_at is not null`;
  return row;
}

/** One row for each UTC day. Index agents_created, and the ids of posters, which begin with their time. */
export async function countRegistrations(
  db: Queryable,
  { since, fromId, days }: { since: Date; fromId: string; days: string[] },
): Promise<Business['registrations']> {
  return await db<Business['registrations']>`
    with agent_days as (
      select (created_at at time zone 'UTC')::date as day, count(*)::integer as n from agents where created_at >= ${since} group by 1
    ), poster_days as (
      select (created_at at time zone 'UTC')::date as day, count(*)::integer as n from posters where id >= ${fromId}::uuid group by 1
    )
    select day::text as date, coalesce(a.n, 0) as agents, coalesce(p.n, 0) as posters
    from unnest(${days}::date[]) day left join agent_days a using (day) left join poster_days p using (day) order by day`;
}
