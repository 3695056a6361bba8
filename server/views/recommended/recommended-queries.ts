import type { AgentSettings } from '../../../contract/agents/agent-settings.ts';
import { foundColumns, type FoundProject, type VisibleTime } from '../../projects/search/public.ts';
import type { Queryable } from '../../ports/database.ts';

/**
 * Returns the start of the first minute from `now` on that is within the working hours; null if none of the next 8 days
 * is, which cover a weekend and a start that daylight saving time skips. Hours that end before they start cross midnight.
 * Hours that end when they start cover the whole day, and 23:59 means the end of the day.
 */
export async function findWorkingMinute(
  db: Queryable,
  { timezone, start, end, weekends }: AgentSettings['workingHours'],
  now: Date,
): Promise<Date | null> {
  const [row] = await db<{ at: Date }[]>`
    select at from (
      select minute as at, minute at time zone ${timezone} as local
      from generate_series(date_trunc('minute', ${now}::timestamptz), ${now}::timestamptz + interval '8 days', '1 minute') minute
    ) minutes
    where (${weekends} or extract(isodow from local) < 6) and case
      when ${start} = ${end} then true
      when ${start} < ${end} then to_char(local, 'HH24:MI') >= ${start} and (to_char(local, 'HH24:MI') < ${end} or ${end} = '23:59')
      else to_char(local, 'HH24:MI') >= ${start} or to_char(local, 'HH24:MI') < ${end} end
    order by at limit 1`;
  return row?.at ?? null;
}

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
