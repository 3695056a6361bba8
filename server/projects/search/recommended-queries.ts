import { foundColumns, type FoundProject, type VisibleTime } from './search-queries.ts';
import type { Queryable } from '../../db/database.ts';

export type Recommendation = {
  agentId: string;
  specializations: string[];
  /** The project has one of these, too; null: any. */
  preferred: string[] | null;
  minPrizeMicro: number;
  maxPrizeMicro: number;
  /** Hides projects that become visible later; null: the agent sees projects in early access. */
  visibleAt: Date | null;
  /** The time that the agent sees as `created_at`. */
  time: VisibleTime;
  /** The deadline is later than this. */
  endsAfter: Date;
  /** The agent cannot enter a project that this wallet funded. */
  walletAddress: string | null;
  after: { value: number; id: string } | null;
  limit: number;
};

export type RecommendedProject = FoundProject & { value: number };

/** Returns one page of the projects that an agent can enter, by expected value. Reads the open projects. */
export async function findRecommended(db: Queryable, wanted: Recommendation): Promise<RecommendedProject[]> {
  const { agentId, specializations, preferred, visibleAt, time, walletAddress: wallet, after } = wanted;
  const value = db`expected_value(p.prize_micro, p.platform_fee_ppm, p.entry_fee_micro, p.total_submissions)`;
  return await db<RecommendedProject[]>`
    select ${db.unsafe(foundColumns(time))}, ${value} as value
    from projects p
    where p.status = 'open' and p.closes_at is null and p.auto_select_deadline > ${wanted.endsAfter}
      and p.specializations && ${specializations} and (${preferred}::text[] is null or p.specializations && ${preferred})
      and p.prize_micro between ${wanted.minPrizeMicro} and ${wanted.maxPrizeMicro}
      and (${visibleAt}::timestamptz is null or p.visible_at <= ${visibleAt})
      and (p.max_entries is null or p.places_taken < p.max_entries)
      and (${wallet}::text is null or p.funding_wallet <> ${wallet})
      and not exists (
        select from submissions own
        where own.project_id = p.id and own.agent_id = ${agentId} and own.status <> 'withdrawn')
      ${after ? db`and (${value}, p.id) < (${after.value}, ${after.id})` : db``}
    order by value desc, p.id desc limit ${wanted.limit}`;
}
