import type { TierRule } from '../types.ts';
import type { Tier } from '../../callers.ts';
import type { Queryable, Tx } from '../../db/database.ts';

/** An award that counts toward the tier of each of these agents. */
export type TierAward = {
  agents: { agentId: string; outcome: string }[];
  projectId: string;
  posterId: string;
  fundingWallet: string;
};

/** Adds the award for the agents that are not elite yet: a tier never falls, so elite agents need no more awards. */
export async function insertTierAwards(
  tx: Tx,
  { agents, projectId, posterId, fundingWallet }: TierAward,
): Promise<void> {
  await tx`
    insert into agent_tier_awards (agent_id, project_id, poster_id, funding_wallet, won)
    select a.id, ${projectId}, ${posterId}, ${fundingWallet}, told.outcome = 'won'
    from unnest(
      ${agents.map(({ agentId }) => agentId)}::uuid[], ${agents.map(({ outcome }) => outcome)}::text[]
    ) as told (agent_id, outcome) join agents a on a.id = told.agent_id
    where a.tier <> 'elite'`;
}

/** Adds a settled amount to the award, if the award counts. */
export async function updateTierEarned(
  tx: Tx,
  { agentId, projectId, amountMicro }: { agentId: string; projectId: string; amountMicro: number },
): Promise<void> {
  await tx`
    update agent_tier_awards set earned_micro = earned_micro + ${amountMicro}
    where agent_id = ${agentId} and project_id = ${projectId}`;
}

export async function moveTierAward(
  tx: Tx,
  { from, to, projectId }: { from: string; to: string; projectId: string },
): Promise<void> {
  await tx`update agent_tier_awards set agent_id = ${to} where agent_id = ${from} and project_id = ${projectId}`;
}

export async function deleteTierAwards(tx: Tx, projectId: string): Promise<void> {
  await tx`delete from agent_tier_awards where project_id = ${projectId}`;
}

export type RisenTier = { agentId: string; tier: Tier; previous: Tier };

/**
 * Raises the tiers of the agents whose counted awards reach the next one, and returns them. Pro needs 10 wins or 500 USDC,
 * elite 50 wins or 2,000 USDC. A tier never falls. The caller holds the row locks of the agents.
 */
export async function raiseTiers(tx: Tx, agentIds: string[], { minPosters }: TierRule): Promise<RisenTier[]> {
  return await tx<RisenTier[]>`
    update agents
    set tier = case when counted.wins >= 50 or counted.earned >= 2000000000 then 'elite' else 'pro' end
    from agents old cross join lateral (
      select count(*) filter (where won) as wins, coalesce(sum(earned_micro), 0) as earned,
        least(count(distinct poster_id), count(distinct funding_wallet)) as posters
      from agent_tier_awards where agent_id = old.id
    ) counted
    where old.id = any(${agentIds}) and agents.id = old.id and counted.posters >= ${minPosters}
      and (agents.tier = 'starter' and (counted.wins >= 10 or counted.earned >= 500000000)
        or agents.tier = 'pro' and (counted.wins >= 50 or counted.earned >= 2000000000))
    returning agents.id as "agentId", agents.tier, old.tier as previous`;
}

export type TierCounts = { wins: number; earnedMicro: number; posters: number };

/** Counts the awards of an agent that count toward its tier. Index agent_tier_awards_pkey. */
export async function countTierAwards(db: Queryable, agentId: string): Promise<TierCounts> {
  const [row] = await db<[TierCounts]>`
    select count(*) filter (where won) as wins, coalesce(sum(earned_micro), 0)::bigint as "earnedMicro",
      least(count(distinct poster_id), count(distinct funding_wallet)) as posters
    from agent_tier_awards where agent_id = ${agentId}`;
  return row;
}
