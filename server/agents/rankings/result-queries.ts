import { type EmptiedNode, moveInRanks, OVERALL } from './rankings-queries.ts';
import type { Tx } from '../../ports/database.ts';

export type AgentResult = {
  agentId: string;
  outcome: 'won' | 'lost' | 'shared';
  earningsMicro: number;
  score: number | null;
  /** The first specialization of the project. It determines the category. */
  specialization: string;
};

/**
 * Locks the agents in the order of their ids, as every transaction that locks several agents does. This order prevents
 * deadlocks.
 */
export async function lockWallets(tx: Tx, agentIds: string[]): Promise<{ agentId: string; wallet: string | null }[]> {
  return await tx<{ agentId: string; wallet: string | null }[]>`
    select id as "agentId", case when wallet_linked_at is not null then wallet_address end as wallet
    from agents where id = any(${agentIds}) order by id for no key update`;
}

/** SQL fragment: the tier that the stats give. A tier never falls. */
const tierBy = (tx: Tx, wins: ReturnType<Tx>, earned: ReturnType<Tx>) => tx`
  case when tier = 'elite' or ${wins} >= 50 or ${earned} >= 2000000000 then 'elite'
    when tier = 'pro' or ${wins} >= 10 or ${earned} >= 500000000 then 'pro'
    else tier end`;

/**
 * SQL fragment: the category of a specialization. A retired specialization keeps its row; an unknown one gives the
 * empty category.
 */
const categoryOf = (tx: Tx, specialization: ReturnType<Tx>) => tx`
  coalesce((select category from specializations where id = ${specialization}), '')`;

/** Updates all agents in one statement. Each agent occurs once, and the caller holds its row lock. */
export async function updateResults(tx: Tx, results: AgentResult[]): Promise<void> {
  await tx`
    update agents
    set total_wins = total_wins + won, pending_micro = pending_micro + earnings,
      scored_count = scored_count + (score is not null)::integer, score_sum = score_sum + coalesce(score, 0),
      success_streak = case outcome when 'won' then success_streak + 1 when 'lost' then 0 else success_streak end,
      longest_streak = greatest(longest_streak, success_streak + won),
      tier = ${tierBy(tx, tx`total_wins + won`, tx`earned_micro`)}
    from (
      select *, (outcome = 'won')::integer as won
      from unnest(
        ${results.map((result) => result.agentId)}::uuid[], ${results.map((result) => result.outcome)}::text[],
        ${results.map((result) => result.earningsMicro)}::bigint[], ${results.map((result) => result.score)}::integer[]
      ) as told (agent_id, outcome, earnings, score)
    ) result
    where agents.id = result.agent_id`;
}

/** Part of a statement: the agents with their tiers. */
export const tiersOf = (tx: Tx, agentIds: string[]) => tx`select id, tier from agents where id = any(${agentIds})`;

/** Updates the stats by category. The caller holds the row locks of the agents. */
export async function updateCategoryResults(tx: Tx, results: AgentResult[]): Promise<void> {
  await tx`
    insert into agent_categories as kept (agent_id, category, wins, losses, scored_count, score_sum)
    select agent_id, ${categoryOf(tx, tx`specialization`)}, (outcome = 'won')::integer, (outcome = 'lost')::integer,
      (score is not null)::integer, coalesce(score, 0)
    from unnest(
      ${results.map((result) => result.agentId)}::uuid[], ${results.map((result) => result.outcome)}::text[],
      ${results.map((result) => result.score)}::integer[], ${results.map((result) => result.specialization)}::text[]
    ) as told (agent_id, outcome, score, specialization)
    order by 1
    on conflict (agent_id, category) do update
    set wins = kept.wins + excluded.wins, losses = kept.losses + excluded.losses, scored_count = kept.scored_count + excluded.scored_count,
      score_sum = kept.score_sum + excluded.score_sum`;
}

/**
 * Moves an amount from pending to earned: in the agent's row, in its category row, and in both ranking trees. Returns
 * the tree nodes that became empty.
 */
export async function updateEarned(
  tx: Tx,
  { agentId, amountMicro, specialization }: { agentId: string; amountMicro: number; specialization: string },
): Promise<EmptiedNode[]> {
  const nodes = await tx<(EmptiedNode & { agents: number })[]>`
    with overall as (
      update agents
      set pending_micro = pending_micro - ${amountMicro}, earned_micro = earned_micro + ${amountMicro},
        tier = ${tierBy(tx, tx`total_wins`, tx`earned_micro + ${amountMicro}`)}
      where id = ${agentId}
      returning earned_micro
    ), in_category as (
      insert into agent_categories as kept (agent_id, category, earned_micro)
      values (${agentId}, ${categoryOf(tx, tx`${specialization}`)}, ${amountMicro})
      on conflict (agent_id, category) do update set earned_micro = kept.earned_micro + excluded.earned_micro
      returning category, earned_micro
    ), moved as (
      select ${OVERALL} as scope, earned_micro - ${amountMicro}::bigint as before, earned_micro as after from overall
      union all select category, earned_micro - ${amountMicro}::bigint, earned_micro from in_category
    )
    ${moveInRanks(tx)}`;
  return nodes.filter(({ agents }) => agents === 0);
}

/** Counts a project that the agent entered by an intent. The caller holds the agent's row lock. */
export async function recordIntent(tx: Tx, agentId: string): Promise<void> {
  await tx`update agents set total_projects = total_projects + 1 where id = ${agentId}`;
}

/** Takes back `recordIntent`. The caller holds the submission's lock; this statement takes the agent's. */
export async function recordWithdrawn(tx: Tx, agentId: string): Promise<void> {
  await tx`update agents set total_projects = total_projects - 1 where id = ${agentId}`;
}

/** Counts a confirmed entry. `specialization` is the first one of its project. */
export async function recordConfirmed(
  tx: Tx,
  { agentId, specialization }: { agentId: string; specialization: string },
): Promise<void> {
  await tx`
    insert into agent_categories as kept (agent_id, category, submissions)
    values (${agentId}, ${categoryOf(tx, tx`${specialization}`)}, 1)
    on conflict (agent_id, category) do update set submissions = kept.submissions + 1`;
}
