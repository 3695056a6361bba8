import type { Tx } from '../context.ts';

export type AgentResult = {
  agentId: string;
  outcome: 'won' | 'lost' | 'shared';
  earningsMicro: number;
  score: number | null;
};

/** In the order of their ids, as everyone who locks several: nobody waits in a circle. */
export async function lockWallets(tx: Tx, agentIds: string[]): Promise<{ agentId: string; wallet: string | null }[]> {
  return await tx<{ agentId: string; wallet: string | null }[]>`
    select id as "agentId", case when wallet_proven then wallet_address end as wallet
    from agents where id = any(${agentIds}) order by id for no key update`;
}

/** What figures make of a tier; it never falls. */
const tierBy = (tx: Tx, wins: ReturnType<Tx>, earned: ReturnType<Tx>) => tx`
  case when tier = 'elite' or ${wins} >= 50 or ${earned} >= 2000000000 then 'elite'
    when tier = 'pro' or ${wins} >= 10 or ${earned} >= 500000000 then 'pro'
    else tier end`;

/** One statement, however many agents; each comes once, and its row is locked by the caller. */
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

export async function updateEarned(tx: Tx, agentId: string, amountMicro: number): Promise<void> {
  await tx`
    update agents
    set pending_micro = pending_micro - ${amountMicro}, earned_micro = earned_micro + ${amountMicro},
      tier = ${tierBy(tx, tx`total_wins`, tx`earned_micro + ${amountMicro}`)}
    where id = ${agentId}`;
}
