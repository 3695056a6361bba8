import type { Output } from '../../../contract/basics/operation.ts';
import type { overviewOperations } from '../../../contract/operator/overview.ts';
import type { ProjectStatus } from '../../../contract/projects/projects.ts';
import type { AgentStatus } from '../../callers.ts';
import type { Queryable } from '../../db/database.ts';

type Overview = Output<typeof overviewOperations.getOverview>;

/**
 * Sums of the account balances. The treasury holds what all other accounts owe. Accounts of projects and wallets hold
 * money only while their project is running, or while a payout from them is unsettled. Indexes projects_status_prize
 * and payouts_unsettled find them; each account is one lookup by key. There is no index of balances, because every
 * booking would have to update it.
 */
export async function readHeld(db: Queryable): Promise<Overview['held']> {
  const [row] = await db<[Overview['held']]>`
    with going_on as (
      select id as project_id from projects where published_at is not null and status in ('open', 'judging')
    ), named as (
      select 'escrow:' || project_id as id from going_on union select 'fees:' || project_id from going_on
      union select debit_account from payouts where state <> 'settled'
      union select 'payable:' || recipient from payouts where state <> 'settled' and credited_at is not null
      union select unnest(array['revenue', 'stray'])
    ), held as (
      select split_part(id, ':', 1) as kind, sum(balance_micro)::bigint as micro
      from named join ledger_accounts using (id) group by 1
    )
    select coalesce(sum(micro) filter (where kind = 'escrow'), 0)::bigint as escrow_micro,
      coalesce(sum(micro) filter (where kind = 'fees'), 0)::bigint as fees_micro,
      coalesce(sum(micro) filter (where kind = 'payable'), 0)::bigint as payable_micro,
      coalesce(sum(micro) filter (where kind = 'revenue'), 0)::bigint as revenue_micro,
      coalesce(sum(micro) filter (where kind = 'stray'), 0)::bigint as stray_micro,
      coalesce(sum(micro), 0)::bigint as treasury_micro
    from held`;
  return row;
}

/** All agents, minus the restricted ones. Index agents_restricted. */
export async function countAgentsByStatus(db: Queryable, now: Date): Promise<Record<AgentStatus, number>> {
  const [all, restricted] = await Promise.all([
    db<[{ count: number }]>`select count(*) as count from agents`,
    db<{ status: AgentStatus; count: number }[]>`
      select status, count(*) as count from agents
      where status <> 'active' and (status_until is null or status_until > ${now}) group by status`,
  ]);
  const counts = { active: all[0].count, limited: 0, suspended: 0, under_review: 0 };
  for (const { status, count } of restricted) {
    counts[status] = count;
    counts.active -= count;
  }
  return counts;
}

export async function countProjects(db: Queryable): Promise<Record<ProjectStatus, number>> {
  const rows = await db<{ status: ProjectStatus; count: number }[]>`
    select status, count(*) as count from projects group by status`;
  const counts = { draft: 0, open: 0, judging: 0, completed: 0, cancelled: 0 };
  for (const { status, count } of rows) counts[status] = count;
  return counts;
}

/** Emails that were given up. Index mail_outbox_created. */
export async function countFailedMail(db: Queryable, since: Date): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*) as count from mail_outbox where created_at >= ${since} and due_at is null and sent_at is null
      and failure is not null`;
  return row.count;
}

/** Automatic results that wait for their payout, and stray transfers that nobody claimed (at most `most`). */
export async function countDecisions(
  db: Queryable,
  { network, most }: { network: string; most: number },
): Promise<Pick<Overview, 'results_on_hold' | 'unclaimed_strays'>> {
  const [row] = await db<[Pick<Overview, 'results_on_hold' | 'unclaimed_strays'>]>`
    select
      (select count(*) from projects where status = 'judging' and held_at is not null) as results_on_hold,
      (select count(*) from (
        select 1 from stray_transfers
        where network = ${network} and payment_id is null and returned_at is null limit ${most}
      ) strays) as unclaimed_strays`;
  return row;
}

type Business = Overview['business'];

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
