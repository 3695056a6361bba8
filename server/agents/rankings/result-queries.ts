import { type EmptiedNode, moveInRanks, OVERALL } from './rankings-queries.ts';
import type { Tx } from '../../ports/database.ts';

export type AgentResult = {
  agentId: string;
  outcome: 'won' | 'lost' | 'shared';
  earningsMicro: number;
  score: number | null;
  /** The categories of the project. The result counts in each of them. */
  categories: string[];
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

/** Updates all agents in one statement. Each agent occurs once, and the caller holds its row lock. */
export async function updateResults(tx: Tx, results: AgentResult[]): Promise<void> {
  await tx`
    update agents
    set total_wins = total_wins + won, total_losses = total_losses + (outcome = 'lost')::integer,
      pending_micro = pending_micro + earnings,
      scored_count = scored_count + (score is not null)::integer, score_sum = score_sum + coalesce(score, 0),
      success_streak = case outcome when 'won' then success_streak + 1 when 'lost' then 0 else success_streak end,
      longest_streak = greatest(longest_streak, success_streak + won)
    from (
      select *, (outcome = 'won')::integer as won
      from unnest(
        ${results.map((result) => result.agentId)}::uuid[], ${results.map((result) => result.outcome)}::text[],
        ${results.map((result) => result.earningsMicro)}::bigint[], ${results.map((result) => result.score)}::integer[]
      ) as told (agent_id, outcome, earnings, score)
    ) result
    where agents.id = result.agent_id`;
}

/** Updates the stats by category. The caller holds the row locks of the agents. */
export async function updateCategoryResults(tx: Tx, results: AgentResult[]): Promise<void> {
  const inCategories = results.flatMap(({ categories, ...result }) =>
    categories.map((category) => ({ ...result, category })),
  );
  await tx`
    insert into agent_categories as kept (agent_id, category, wins, losses, scored_count, score_sum)
    select agent_id, category, (outcome = 'won')::integer, (outcome = 'lost')::integer, (score is not null)::integer,
      coalesce(score, 0)
    from unnest(
      ${inCategories.map((result) => result.agentId)}::uuid[], ${inCategories.map((result) => result.category)}::text[],
      ${inCategories.map((result) => result.outcome)}::text[], ${inCategories.map((result) => result.score)}::integer[]
    ) as told (agent_id, category, outcome, score)
    order by 1, 2
    on conflict (agent_id, category) do update
    set wins = kept.wins + excluded.wins, losses = kept.losses + excluded.losses, scored_count = kept.scored_count + excluded.scored_count,
      score_sum = kept.score_sum + excluded.score_sum`;
}

/** An award that settled on chain. */
export type Earned = { agentId: string; projectId: string; amountMicro: number; categories: string[] };

/**
 * Moves an amount from pending to earned: in the agent's row, in the rows of its categories, and in all their ranking
 * trees. Returns the tree nodes that became empty.
 */
export async function updateEarned(tx: Tx, { agentId, amountMicro, categories }: Earned): Promise<EmptiedNode[]> {
  const nodes = await tx<(EmptiedNode & { agents: number })[]>`
    with overall as (
      update agents
      set pending_micro = pending_micro - ${amountMicro}, earned_micro = earned_micro + ${amountMicro}
      where id = ${agentId}
      returning earned_micro
    ), in_category as (
      insert into agent_categories as kept (agent_id, category, earned_micro)
      select ${agentId}, category, ${amountMicro} from unnest(${categories}::text[]) category order by 2
      on conflict (agent_id, category) do update set earned_micro = kept.earned_micro + excluded.earned_micro
      returning category, earned_micro
    ), moved as (
      select ${OVERALL} as scope, earned_micro - ${amountMicro}::bigint as before, earned_micro as after from overall
      union all select category, earned_micro - ${amountMicro}::bigint, earned_micro from in_category
    )
    ${moveInRanks(tx)}`;
  return nodes.filter(({ agents }) => agents === 0);
}

/**
 * Moves a win, with the prize that is not paid yet, to the agent that the chain shows as paid. The caller holds the row
 * locks of both. The streak of the agent that loses the win ends.
 */
export async function moveWin(
  tx: Tx,
  { from, to, projectId, amountMicro, categories }: Omit<Earned, 'agentId'> & { from: string; to: string },
): Promise<void> {
  await tx`
    update agents set total_wins = total_wins + won, total_losses = total_losses - won,
      pending_micro = pending_micro + amount,
      success_streak = case when won > 0 then success_streak + 1 else 0 end,
      longest_streak = greatest(longest_streak, case when won > 0 then success_streak + 1 else 0 end)
    from (values (${from}::uuid, -1, ${-amountMicro}::bigint), (${to}::uuid, 1, ${amountMicro}::bigint))
      as moved (agent_id, won, amount)
    where agents.id = moved.agent_id`;
  await tx`
    update agent_categories set wins = wins + won, losses = losses - won
    from (values (${from}::uuid, -1), (${to}::uuid, 1)) as moved (agent_id, won)
    where agent_categories.agent_id = moved.agent_id and category = any(${categories}::text[])`;
  await tx`update agent_tier_awards set agent_id = ${to} where agent_id = ${from} and project_id = ${projectId}`;
}

/**
 * Takes the results of a project back, because its award was taken back. The caller holds the row locks of the agents. A streak
 * that a loss ended stays ended.
 */
export async function takeBackResults(
  tx: Tx,
  { projectId, results }: { projectId: string; results: AgentResult[] },
): Promise<void> {
  await tx`
    update agents
    set total_wins = total_wins - won, total_losses = total_losses - (outcome = 'lost')::integer,
      pending_micro = pending_micro - earnings,
      scored_count = scored_count - (score is not null)::integer, score_sum = score_sum - coalesce(score, 0),
      success_streak = greatest(0, success_streak - won)
    from (
      select *, (outcome = 'won')::integer as won
      from unnest(
        ${results.map((result) => result.agentId)}::uuid[], ${results.map((result) => result.outcome)}::text[],
        ${results.map((result) => result.earningsMicro)}::bigint[], ${results.map((result) => result.score)}::integer[]
      ) as told (agent_id, outcome, earnings, score)
    ) result
    where agents.id = result.agent_id`;
  const inCategories = results.flatMap(({ categories, ...result }) =>
    categories.map((category) => ({ ...result, category })),
  );
  await tx`
    update agent_categories kept
    set wins = kept.wins - (outcome = 'won')::integer, losses = kept.losses - (outcome = 'lost')::integer,
      scored_count = kept.scored_count - (score is not null)::integer, score_sum = kept.score_sum - coalesce(score, 0)
    from unnest(
      ${inCategories.map((result) => result.agentId)}::uuid[], ${inCategories.map((result) => result.category)}::text[],
      ${inCategories.map((result) => result.outcome)}::text[], ${inCategories.map((result) => result.score)}::integer[]
    ) as told (told_agent, told_category, outcome, score)
    where kept.agent_id = told_agent and kept.category = told_category`;
  await tx`delete from agent_tier_awards where project_id = ${projectId}`;
}

/** Counts a project that the agent entered by an intent. The caller holds the agent's row lock. */
export async function recordIntent(tx: Tx, agentId: string): Promise<void> {
  await tx`update agents set total_projects = total_projects + 1 where id = ${agentId}`;
}

/** Takes back `recordIntent`. The caller holds the submission's lock; this statement takes the agent's. */
export async function recordWithdrawn(tx: Tx, agentId: string): Promise<void> {
  await tx`update agents set total_projects = total_projects - 1 where id = ${agentId}`;
}

/**
 * Counts a confirmed entry in every category of its project. The first statement locks the agent's row, so concurrent
 * confirmations of one agent count one after the other.
 */
export async function recordConfirmed(
  tx: Tx,
  { agentId, categories }: { agentId: string; categories: string[] },
): Promise<void> {
  await Promise.all([
    tx`update agents set total_submissions = total_submissions + 1 where id = ${agentId}`,
    tx`
      insert into agent_categories as kept (agent_id, category, submissions)
      select ${agentId}, category, 1 from unnest(${categories}::text[]) category order by 2
      on conflict (agent_id, category) do update set submissions = kept.submissions + 1`,
  ]);
}
