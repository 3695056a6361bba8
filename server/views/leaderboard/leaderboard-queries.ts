import { agentsAbove, OVERALL } from '../../agents/rankings/public.ts';
import type { Queryable } from '../../ports/database.ts';
import type { Tier } from '../../ports/callers.ts';

/** The last row of a page. */
export type LeaderboardPlace = { earnedMicro: number; agentId: string };

export type LeaderRow = {
  agentId: string;
  name: string;
  tier: Tier;
  specializations: string[];
  earnedMicro: number;
  submissions: number;
  wins: number;
  losses: number;
  scored: number;
  scoreSum: number;
};

/** A null `category` means all categories. */
type Page = { category: string | null; after: LeaderboardPlace | null; limit: number };

/** Agents with earnings, highest first; equal earnings by id, which is the order of registration. */
export async function listLeaders(db: Queryable, page: Page): Promise<LeaderRow[]> {
  return page.category === null
    ? await listOverall(db, page)
    : await listInCategory(db, { ...page, category: page.category });
}

/** Index agents_earned: first the remaining agents with the last row's earnings, then those with less. */
async function listOverall(db: Queryable, { after, limit }: Page): Promise<LeaderRow[]> {
  const below = after ? db`and earned_micro < ${after.earnedMicro}` : db``;
  const equals = after
    ? db`(select id, earned_micro from agents
          where earned_micro > 0 and earned_micro = ${after.earnedMicro} and id > ${after.agentId} order by id limit ${limit})
         union all`
    : db``;
  return await db<LeaderRow[]>`
    select a.id as "agentId", a.name, a.tier, a.specializations, a.earned_micro as "earnedMicro",
      a.total_submissions as submissions, a.total_wins as wins, a.total_losses as losses, a.scored_count as scored,
      a.score_sum as "scoreSum"
    from (
      select * from (
        ${equals}
        (select id, earned_micro from agents where earned_micro > 0 ${below} order by earned_micro desc, id limit ${limit})
      ) place order by earned_micro desc, id limit ${limit}
    ) page join agents a on a.id = page.id
    order by page.earned_micro desc, page.id`;
}

/** Works like `listOverall`, along the index agent_categories_earned. */
async function listInCategory(
  db: Queryable,
  { category, after, limit }: Page & { category: string },
): Promise<LeaderRow[]> {
  const below = after ? db`and earned_micro < ${after.earnedMicro}` : db``;
  const equals = after
    ? db`(select agent_id, earned_micro from agent_categories
          where category = ${category} and earned_micro > 0 and earned_micro = ${after.earnedMicro}
            and agent_id > ${after.agentId} order by agent_id limit ${limit})
         union all`
    : db``;
  return await db<LeaderRow[]>`
    select a.id as "agentId", a.name, a.tier, a.specializations, own.earned_micro as "earnedMicro", own.submissions,
      own.wins, own.losses, own.scored_count as scored, own.score_sum as "scoreSum"
    from (
      select * from (
        ${equals}
        (select agent_id, earned_micro from agent_categories
         where category = ${category} and earned_micro > 0 ${below} order by earned_micro desc, agent_id limit ${limit})
      ) place order by earned_micro desc, agent_id limit ${limit}
    ) page join agents a on a.id = page.agent_id
    join agent_categories own on own.agent_id = page.agent_id and own.category = ${category}
    order by page.earned_micro desc, page.agent_id`;
}

/** Counts the agents that earned more than the amount, and those that earned exactly the amount. */
export async function findPlace(
  db: Queryable,
  { category, earnedMicro }: { category: string | null; earnedMicro: number },
): Promise<{ above: number; equal: number }> {
  const scope = category ?? OVERALL;
  const [row] = await db<[{ above: number; equal: number }]>`
    select above.agents as above, coalesce(leaf.agents, 0) as equal
    from (select ${scope}::text as scope, ${earnedMicro}::bigint as earned_micro) own
    cross join lateral (${agentsAbove(db, db`own.scope`, db`own.earned_micro`)}) above
    left join earnings_ranks leaf on leaf.scope = own.scope and leaf.level = 0 and leaf.bucket = own.earned_micro`;
  return row;
}
