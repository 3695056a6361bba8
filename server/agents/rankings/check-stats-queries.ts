import type { JSONValue } from 'postgres';
import { OVERALL } from './rankings-queries.ts';
import type { Queryable } from '../../ports/database.ts';

/** The stored and the recomputed values by column name. Null means that the row does not exist. */
export type Mismatch = { subject: string; kept: JSONValue; recomputed: JSONValue };

/**
 * Claims the check of this day. Returns true for one process; another process can claim it only after an unfinished
 * lease has expired.
 */
export async function claimCheck(
  db: Queryable,
  { day, now, leaseUntil }: { day: string; now: Date; leaseUntil: Date },
): Promise<boolean> {
  const { count } = await db`
    insert into figure_checks as known (day, lease_until) values (${day}, ${leaseUntil})
    on conflict (day) do update set lease_until = excluded.lease_until, agents = 0, mismatches = 0
      where known.finished_at is null and known.lease_until <= ${now}`;
  return count === 1;
}

export type CheckProgress = {
  day: string;
  leaseUntil: Date;
  finishedAt: Date | null;
  agents: number;
  mismatches: number;
};

export async function updateCheck(db: Queryable, { day, ...progress }: CheckProgress): Promise<void> {
  await db`
    update figure_checks
    set lease_until = ${progress.leaseUntil}, finished_at = ${progress.finishedAt}, agents = ${progress.agents},
      mismatches = ${progress.mismatches}
    where day = ${day}`;
}

/** Ends the lease, so the next process can start the check immediately instead of after the lease. */
export async function endLease(db: Queryable, day: string, now: Date): Promise<void> {
  await db`update figure_checks set lease_until = ${now} where day = ${day} and finished_at is null`;
}

/** Returns the newest finished check, or null before the first one. */
export async function findNewestStatsCheck(db: Queryable): Promise<{ finishedAt: Date; mismatches: number } | null> {
  const [row] = await db<{ finishedAt: Date; mismatches: number }[]>`
    select finished_at as "finishedAt", mismatches from figure_checks
    where finished_at is not null order by day desc limit 1`;
  return row ?? null;
}

/** Returns the next agent ids in ascending order. */
export async function listAgentIds(db: Queryable, after: string | null, limit: number): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from agents ${after === null ? db`` : db`where id > ${after}`} order by id limit ${limit}`;
  return rows.map(({ id }) => id);
}

/** Both ends are included. The submissions of each agent are read by index submissions_agent. */
export type AgentRange = { from: string; to: string };

/**
 * Compares each agent's stored stats with its submissions. One statement reads one snapshot, so a concurrent booking is
 * not reported.
 *
 * Streaks are not checked. They depend on the order in which awards locked the agent's row, and that order is not
 * stored.
 */
export async function mismatchedAgents(db: Queryable, { from, to }: AgentRange): Promise<Mismatch[]> {
  return await db<Mismatch[]>`
    select 'agent ' || a.id as subject, to_jsonb(kept) as kept, to_jsonb(real) as recomputed
    from agents a
    cross join lateral (
      select a.total_projects, a.total_submissions, a.total_wins, a.total_losses, a.earned_micro, a.pending_micro,
        a.scored_count, a.score_sum
    ) kept
    cross join lateral (
      select count(*) filter (where status <> 'withdrawn') as total_projects,
        count(*) filter (where status = 'submitted') as total_submissions,
        count(*) filter (where outcome = 'won') as total_wins, count(*) filter (where outcome = 'lost') as total_losses,
        coalesce(sum(earnings_micro) filter (where paid_at is not null), 0) as earned_micro,
        coalesce(sum(earnings_micro) filter (where paid_at is null), 0) as pending_micro,
        count(score) filter (where outcome <> 'cancelled') as scored_count,
        coalesce(sum(score) filter (where outcome <> 'cancelled'), 0) as score_sum
      from submissions where agent_id = a.id
    ) real
    where a.id between ${from} and ${to} and to_jsonb(kept) <> to_jsonb(real)
    order by a.id`;
}

export async function mismatchedCategories(db: Queryable, { from, to }: AgentRange): Promise<Mismatch[]> {
  return await db<Mismatch[]>`
    with kept as (
      select agent_id, category, jsonb_build_object('submissions', submissions, 'wins', wins, 'losses', losses, 'earned_micro', earned_micro,
        'scored_count', scored_count, 'score_sum', score_sum) as figures
      from agent_categories where agent_id between ${from} and ${to}
    ), real as (
      select s.agent_id, category, jsonb_build_object('submissions', count(*),
        'wins', count(*) filter (where outcome = 'won'), 'losses', count(*) filter (where outcome = 'lost'),
        'earned_micro', coalesce(sum(earnings_micro) filter (where paid_at is not null), 0),
        'scored_count', count(score) filter (where outcome <> 'cancelled'),
        'score_sum', coalesce(sum(score) filter (where outcome <> 'cancelled'), 0)) as figures
      from agents a join submissions s on s.agent_id = a.id cross join unnest(s.categories) category
      where a.id between ${from} and ${to} and s.status = 'submitted'
      group by 1, 2
    )
    select 'agent ' || agent_id || ' in ' || category as subject, kept.figures as kept, real.figures as recomputed
    from kept full join real using (agent_id, category)
    where kept.figures is distinct from real.figures
    order by agent_id, category`;
}

/** Compares the awards that count toward a tier with their entries. */
export async function mismatchedTierAwards(db: Queryable, { from, to }: AgentRange): Promise<Mismatch[]> {
  return await db<Mismatch[]>`
    select 'agent ' || agent_id || ' in project ' || project_id as subject, to_jsonb(kept) as kept,
      to_jsonb(real) as recomputed
    from agent_tier_awards award
    cross join lateral (select award.won, award.earned_micro) kept
    left join lateral (
      select outcome = 'won' as won, case when paid_at is null then 0 else earnings_micro end as earned_micro
      from submissions s
      where s.agent_id = award.agent_id and s.project_id = award.project_id and s.status = 'submitted'
    ) real on true
    where agent_id between ${from} and ${to} and to_jsonb(kept) is distinct from to_jsonb(real)
    order by agent_id, project_id`;
}

/** A range of one level of one tree: buckets greater than `after`, up to and including `upTo`. */
export type RankRange = { scope: string; level: number; after: number; upTo: number };

/** Returns the last bucket of a range of `nodes` nodes, or null if fewer nodes are left. */
export async function findRangeEnd(
  db: Queryable,
  { scope, level, after, nodes }: Omit<RankRange, 'upTo'> & { nodes: number },
): Promise<number | null> {
  const [row] = await db<{ bucket: number }[]>`
    select bucket from earnings_ranks where scope = ${scope} and level = ${level} and bucket > ${after}
    order by bucket offset ${nodes - 1} limit 1`;
  return row?.bucket ?? null;
}

/**
 * Compares tree nodes with their source. Leaves (level 0) come from the agents' earnings (indexes agents_earned,
 * agent_categories_earned). Each other level is the sum of the level below.
 */
export async function mismatchedRanks(db: Queryable, range: RankRange): Promise<Mismatch[]> {
  const { scope, level, after, upTo } = range;
  return await db<Mismatch[]>`
    with kept as (
      select bucket, agents from earnings_ranks
      where scope = ${scope} and level = ${level} and bucket > ${after} and bucket <= ${upTo}
    ), real as (${level === 0 ? earnedLeaves(db, range) : nodesBelow(db, range)})
    select ${`rank ${scope} ${level}`} || ' ' || bucket as subject, to_jsonb(kept.agents) as kept,
      to_jsonb(real.agents) as recomputed
    from kept full join real using (bucket)
    where kept.agents is distinct from real.agents
    order by bucket`;
}

const earnedLeaves = (db: Queryable, { scope, after, upTo }: RankRange) =>
  scope === OVERALL
    ? db`select earned_micro as bucket, count(*) as agents from agents
         where earned_micro > 0 and earned_micro > ${after} and earned_micro <= ${upTo} group by 1`
    : db`select earned_micro as bucket, count(*) as agents from agent_categories
         where category = ${scope} and earned_micro > 0 and earned_micro > ${after} and earned_micro <= ${upTo} group by 1`;

const nodesBelow = (db: Queryable, { scope, level, after, upTo }: RankRange) => db`
  select bucket >> 6 as bucket, sum(agents)::bigint as agents from earnings_ranks
  where scope = ${scope} and level = ${level - 1}
    and bucket >= ((${after}::bigint + 1) << 6) and bucket < ((${upTo}::bigint + 1) << 6)
  group by 1`;

export async function listScopes(db: Queryable): Promise<string[]> {
  const rows = await db<{ category: string }[]>`select distinct category from specializations order by 1`;
  return [OVERALL, ...rows.map(({ category }) => category), ''];
}

/** Returns null if the counts agree. Counting all primary keys takes 0.1 s at 1,000,000 agents. */
export async function mismatchedCount(db: Queryable): Promise<Mismatch | null> {
  const [row] = await db<Mismatch[]>`
    select 'agents in all' as subject, to_jsonb(kept) as kept, to_jsonb(counted) as recomputed
    from (select (select sum(agents) from agent_counts) as kept, (select count(*) from agents) as counted) both_of_them
    where kept is distinct from counted`;
  return row ?? null;
}
