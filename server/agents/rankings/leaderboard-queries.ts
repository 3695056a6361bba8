import type { Queryable } from '../../db/database.ts';
import type { Tier } from '../../callers.ts';

/** The last row of a page. */
type Place = { earnedMicro: number; agentId: string };

export type LeaderRow = {
  rank: number;
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

/** `scope` is a category, or all of them. */
type Page = { scope: string; after: Place | null; limit: number };

/**
 * Agents with earnings, highest first; equal earnings by id, which is the order of registration. Index agent_figures_earned:
 * first the remaining agents with the last row's earnings, then those with less.
 */
export async function listLeaders(db: Queryable, { scope, after, limit }: Page): Promise<LeaderRow[]> {
  const below = after ? db`and earned_micro < ${after.earnedMicro}` : db``;
  const equals = after
    ? db`(select * from agent_figures
          where scope = ${scope} and earned_micro > 0 and earned_micro = ${after.earnedMicro}
            and agent_id > ${after.agentId} order by agent_id limit ${limit})
         union all`
    : db``;
  return await db<LeaderRow[]>`
    select (select count(*) + 1 from agent_figures more
        where more.scope = ${scope} and more.earned_micro > 0 and more.earned_micro > place.earned_micro) as rank,
      a.id as "agentId", a.name, a.tier, a.specializations, place.earned_micro as "earnedMicro", place.submissions,
      place.wins, place.losses, place.scored_count as scored, place.score_sum as "scoreSum"
    from (
      ${equals}
      (select * from agent_figures where scope = ${scope} and earned_micro > 0 ${below}
       order by earned_micro desc, agent_id limit ${limit})
    ) place join agents a on a.id = place.agent_id
    order by place.earned_micro desc, place.agent_id limit ${limit}`;
}
