import { POSTER_NO_WINNER, type ProjectCard, type VisibleTime } from '../../projects/search/public.ts';
import type { Db } from '../../ports/database.ts';

/** The maximum number of ranked projects, by highest prize. So a page costs the same in any marketplace. */
const RANKED = 500;
/** The maximum number of projects that one scan reads, including those that the agent cannot enter. */
const MET = 2_000;

export type Recommendation = {
  /** Keys of project_listings, one for each way to fit the agent's specializations and categories. */
  keys: string[];
  agentId: string;
  specializations: string[];
  minPrizeMicro: number;
  maxPrizeMicro: number;
  /** Hides projects that become visible later. */
  visibleAt: Date;
  /** The time that the agent sees as `created_at`. */
  time: VisibleTime;
  /** The deadline is later than this. */
  endsAfter: Date;
  /** The agent cannot enter a project that this wallet funded. */
  walletAddress: string | null;
  after: { score: number; id: string } | null;
  limit: number;
};

export type RecommendedCard = ProjectCard & { id: string; score: number };

/**
 * Returns one page of the ranked projects. Each key is one ordered scan of the index project_listings_prize within the
 * budget. PostgreSQL merges the scans lazily until it has enough rows. For each row it looks up the project and the
 * agent's entry by key. That takes 7 ms with 1,000 open projects, 20 ms with 30,000, and 50 ms with 115 keys
 * (PostgreSQL 18). The score uses only integers, so it is the same on every page.
 */
export async function findRecommended(db: Db, wanted: Recommendation): Promise<RecommendedCard[]> {
  const { text, values } = recommendedStatement(wanted);
  // Not prepared: the planner must see the budget, and no other agent uses the same keys.
  return await db.unsafe<RecommendedCard[]>(text, values, { prepare: false });
}

type Value = string | number | Date;

function recommendedStatement(wanted: Recommendation): { text: string; values: Value[] } {
  const values: Value[] = [];
  const bind = (value: Value) => `$${values.push(value)}`;
  const { after, walletAddress } = wanted;
  const conditions = [
    `status = 'open'`,
    `prize_micro between ${bind(wanted.minPrizeMicro)} and ${bind(wanted.maxPrizeMicro)}`,
    // `projects/search/search-queries.ts` says why this is not written as `visible_at <=`.
    `(visible_at > ${bind(wanted.visibleAt)})::integer <> 1`,
  ];
  const sorted = 'order by prize_micro desc, project_id desc';
  const streams = wanted.keys.map(
    (key) => `(select prize_micro, project_id from project_listings
      where spec_key = ${bind(key)} and ${conditions.join(' and ')} ${sorted} limit ${MET})`,
  );
  // These subqueries run for each row of the scan. With joins, the planner reads and sorts every open project of a key
  // (400 ms instead of 18 ms).
  const canEnter = `(
      select open.auto_select_deadline > ${bind(wanted.endsAfter)} and open.closes_at is null
        and (open.max_entries is null or open.places_taken < open.max_entries)
        ${walletAddress === null ? '' : `and open.funding_wallet <> ${bind(walletAddress)}`}
      from projects open where open.id = met.project_id
    ) and (
      select own.id from submissions own where own.project_id = met.project_id and own.agent_id = ${bind(wanted.agentId)}
        and own.status <> 'withdrawn'
    ) is null`;
  const text = `
    with fitting as materialized (
      select prize_micro, project_id from (
        select distinct on (prize_micro, project_id) prize_micro, project_id
        from (${streams.join(' union all ')}) streams ${sorted}
      ) met where ${canEnter} ${sorted} limit ${RANKED}
    ), scored as (
      select p.id,
        p.prize_micro * (1000000 - p.platform_fee_ppm) / 1000000
          * (select count(*) from unnest(p.specializations) asked where asked = any(string_to_array(${bind(wanted.specializations.join(','))}, ',')))
          / (cardinality(p.specializations) * (p.total_submissions + 1)) - p.entry_fee_micro as score
      from fitting join projects p on p.id = fitting.project_id
    ), page as materialized (
      select id, score from scored
      ${after === null ? '' : `where (score, id) < (${bind(after.score)}, ${bind(after.id)})`}
      order by score desc, id desc limit ${bind(wanted.limit)}
    )
    select p.id, p.card, p.${wanted.time} as "seenAt", array_to_string(p.specializations, ',') as specializations,
      ${POSTER_NO_WINNER}, page.score
    from page join projects p on p.id = page.id order by page.score desc, page.id desc`;
  return { text, values };
}
