import type { Queryable } from '../../db/database.ts';

export type MarketFigures = {
  projects: number;
  entered: number;
  entries: number;
  awarded: number;
  byPoster: number;
  medianSeconds: number | null;
};

/** Sums the published projects since a time. Index projects_status, for each status. */
export async function sumMarket(db: Queryable, since: Date): Promise<MarketFigures> {
  const [row] = await db<[MarketFigures]>`
    select count(*)::integer as projects, count(*) filter (where total_submissions > 0)::integer as entered,
      coalesce(sum(total_submissions), 0)::bigint as entries,
      count(awarded_at)::integer as awarded, count(*) filter (where selection = 'poster')::integer as "byPoster",
      round(percentile_cont(0.5) within group (order by extract(epoch from awarded_at - closed_at)::float8)
        filter (where selection = 'poster'))::integer as "medianSeconds"
    from projects
    where status in ('open', 'judging', 'completed', 'cancelled') and created_at >= ${since} and published_at is not null`;
  return row;
}

export type RegistrationRow = { date: string; agents: number; posters: number };

/** One row for each UTC day. Index agents_created, and the ids of posters, which begin with their time. */
export async function countRegistrations(
  db: Queryable,
  { since, fromId, days }: { since: Date; fromId: string; days: string[] },
): Promise<RegistrationRow[]> {
  return await db<RegistrationRow[]>`
    with agent_days as (
      select (created_at at time zone 'UTC')::date as day, count(*)::integer as n from agents where created_at >= ${since} group by 1
    ), poster_days as (
      select (created_at at time zone 'UTC')::date as day, count(*)::integer as n from posters where id >= ${fromId}::uuid group by 1
    )
    select day::text as date, coalesce(a.n, 0) as agents, coalesce(p.n, 0) as posters
    from unnest(${days}::date[]) day left join agent_days a using (day) left join poster_days p using (day) order by day`;
}
