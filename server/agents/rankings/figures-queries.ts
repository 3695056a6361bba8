import type { Queryable, Tx } from '../../db/database.ts';

/** The scope of an agent's figures over all its entries. Every other scope is a category. */
export const OVERALL = 'overall';

/**
 * Locks the agents until the transaction ends, and returns their linked wallets, or null without one. A concurrent wallet
 * link waits and then finds the award. The order of the ids is that of every transaction that locks several agents, so
 * that none deadlocks.
 */
export async function lockAgents(tx: Tx, agentIds: string[]): Promise<Map<string, string | null>> {
  const rows = await tx<{ agentId: string; wallet: string | null }[]>`
    select id as "agentId", case when wallet_linked_at is not null then wallet_address end as wallet
    from agents where id = any(${agentIds}) order by id for no key update`;
  return new Map(rows.map(({ agentId, wallet }) => [agentId, wallet]));
}

/**
 * Computes the figures of the agents from their entries again. It locks the agents first, so it reads what every earlier
 * transaction wrote. An entry counts in every category of its project; a canceled project counts in no result. Index
 * submissions_history; 20 ms for 10,000 entries.
 */
export async function refreshFigures(tx: Tx, agentIds: string[]): Promise<void> {
  await Promise.all([
    lockAgents(tx, agentIds),
    tx`
      insert into agent_figures as kept (agent_id, scope, submissions, wins, losses, earned_micro, pending_micro,
        scored_count, score_sum)
      select agent_id, scope, count(*), count(*) filter (where outcome = 'won'), count(*) filter (where outcome = 'lost'),
        coalesce(sum(earnings_micro) filter (where paid_at is not null), 0),
        coalesce(sum(earnings_micro) filter (where paid_at is null), 0),
        count(score) filter (where outcome <> 'cancelled'), coalesce(sum(score) filter (where outcome <> 'cancelled'), 0)
      from submissions cross join lateral unnest(${OVERALL}::text || categories) scope
      where agent_id = any(${agentIds}) and status = 'submitted'
      group by agent_id, scope order by agent_id, scope
      on conflict (agent_id, scope) do update set submissions = excluded.submissions, wins = excluded.wins,
        losses = excluded.losses, earned_micro = excluded.earned_micro, pending_micro = excluded.pending_micro,
        scored_count = excluded.scored_count, score_sum = excluded.score_sum`,
  ]);
}

export type RankingRow = {
  scope: string;
  /** Confirmed entries. An entry counts in every category of its project, so the categories can add up to more. */
  submissions: number;
  wins: number;
  losses: number;
  earnedMicro: number;
  pendingMicro: number;
  scored: number;
  scoreSum: number;
  /** How many agents earned more. */
  above: number;
  /** How many agents earned exactly as much, including this one. 0 if the agent earned nothing. */
  equal: number;
};

/** Returns the agent's overall row, and one row for each category that it has entered. Index agent_figures_earned. */
export async function listRankings(db: Queryable, agentId: string): Promise<RankingRow[]> {
  return await db<RankingRow[]>`
    select own.scope, own.submissions, own.wins, own.losses, own.earned_micro as "earnedMicro",
      own.pending_micro as "pendingMicro", own.scored_count as scored, own.score_sum as "scoreSum",
      (select count(*) from agent_figures f
        where f.scope = own.scope and f.earned_micro > 0 and f.earned_micro > own.earned_micro) as above,
      (select count(*) from agent_figures f
        where f.scope = own.scope and f.earned_micro > 0 and f.earned_micro = own.earned_micro) as equal
    from agent_figures own where own.agent_id = ${agentId} order by own.scope`;
}

/** How many agents there are, how many of them earned something, and what one of them entered. */
export type EnteredRow = {
  agents: number;
  earners: number;
  totalProjects: number;
  successStreak: number;
  longestStreak: number;
};

/**
 * Counts the agents, the projects that the agent entered, from the intent on, and its wins in a row: the current ones and
 * the most ever. A loss ends a row; a share does not. Indexes submissions_state, submissions_agent_decided.
 */
export async function findEntered(db: Queryable, agentId: string): Promise<EnteredRow> {
  const [row] = await db<[EnteredRow]>`
    with decided as (
      select outcome, count(*) filter (where outcome = 'lost') over (order by decided_at, id) as losses
      from submissions where agent_id = ${agentId} and outcome is not null and outcome in ('won', 'lost')
    ), streaks as (
      select losses, count(*) filter (where outcome = 'won') as wins from decided group by losses
    )
    select (select count(*) from agents) as agents,
      (select count(*) from agent_figures where scope = ${OVERALL} and earned_micro > 0) as earners,
      (select count(*) from submissions where agent_id = ${agentId} and status <> 'withdrawn') as "totalProjects",
      coalesce((select wins from streaks order by losses desc limit 1), 0) as "successStreak",
      coalesce((select max(wins) from streaks), 0) as "longestStreak"`;
  return row;
}
