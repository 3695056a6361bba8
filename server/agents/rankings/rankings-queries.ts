import type { Fragment } from 'postgres';
import type { Queryable, Tx } from '../../ports/database.ts';

/** The scope of the overall ranking. Every other scope is a category. */
export const OVERALL = 'overall';

/**
 * SQL fragment: counts the agents of a scope that earned more than `earnedMicro`.
 *
 * It reads nine short ranges of the key of earnings_ranks, one per tree level. Each node stores how many agents it
 * contains.
 */
export const agentsAbove = (db: Queryable, scope: Fragment, earnedMicro: Fragment) => db`
  select coalesce(sum(right_of.agents), 0)::bigint as agents
  from generate_series(0, 8) as tree(level) cross join lateral (
    select sum(node.agents) as agents from earnings_ranks node
    where node.scope = ${scope} and node.level = tree.level
      and node.bucket > (${earnedMicro} >> (6 * tree.level)) and node.bucket <= ((${earnedMicro} >> (6 * tree.level)) | 63)
  ) right_of`;

export type RankingRow = {
  scope: string;
  /** Confirmed entries. An entry counts in every category of its project, so the categories can add up to more. */
  submissions: number;
  wins: number;
  losses: number;
  earnedMicro: number;
  scored: number;
  scoreSum: number;
  /** How many agents earned more. */
  above: number;
  /** How many agents earned exactly as much, including this one. 0 if the agent earned nothing. */
  equal: number;
};

/** Returns the agent's overall row, and one row for each category that it has entered. */
export async function listRankings(db: Queryable, agentId: string): Promise<RankingRow[]> {
  return await db<RankingRow[]>`
    select own.scope, own.submissions, own.wins, own.losses, own.earned_micro as "earnedMicro", own.scored_count as scored,
      own.score_sum as "scoreSum", above.agents as above, coalesce(leaf.agents, 0) as equal
    from (
      select ${OVERALL} as scope, total_submissions as submissions, total_wins as wins, total_losses as losses,
        earned_micro, scored_count, score_sum
      from agents where id = ${agentId}
      union all
      select category, submissions, wins, losses, earned_micro, scored_count, score_sum
      from agent_categories where agent_id = ${agentId}
    ) own
    cross join lateral (${agentsAbove(db, db`own.scope`, db`own.earned_micro`)}) above
    left join earnings_ranks leaf on leaf.scope = own.scope and leaf.level = 0 and leaf.bucket = own.earned_micro
    order by own.scope`;
}

/** Counts all registered agents by summing 64 counter rows. */
export async function countRegisteredAgents(db: Queryable): Promise<number> {
  const [row] = await db<[{ count: number }]>`select coalesce(sum(agents), 0)::bigint as count from agent_counts`;
  return row.count;
}

export type EmptiedNode = { scope: string; level: number; bucket: number };

/**
 * SQL fragment: moves the agents of `moved (scope, before, after)` in the trees. It locks nodes in key order, as every
 * other statement does, to avoid deadlocks.
 */
export const moveInRanks = (tx: Tx) => tx`
  insert into earnings_ranks as kept (scope, level, bucket, agents)
  select scope, level, earned >> (6 * level), sum(change)
  from (select scope, before as earned, -1 as change from moved union all select scope, after, 1 from moved) step,
    generate_series(0, 8) level
  where earned > 0
  group by 1, 2, 3 having sum(change) <> 0 order by 1, 2, 3
  on conflict (scope, level, bucket) do update set agents = kept.agents + excluded.agents
  returning scope, level, bucket, agents`;

/** Deletes nodes without agents. The statement that emptied them holds their row locks. */
export async function deleteEmptied(tx: Tx, nodes: EmptiedNode[]): Promise<void> {
  await tx`
    delete from earnings_ranks kept
    using unnest(
      ${nodes.map((node) => node.scope)}::text[], ${nodes.map((node) => node.level)}::integer[],
      ${nodes.map((node) => node.bucket)}::bigint[]
    ) as emptied (scope, level, bucket)
    where kept.scope = emptied.scope and kept.level = emptied.level and kept.bucket = emptied.bucket and kept.agents = 0`;
}
