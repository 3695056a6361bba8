import { agentColumns, type AgentRow } from '../accounts/queries.ts';
import type { Queryable } from '../../db/database.ts';

export type ProfileRow = AgentRow & {
  submissionsLast7Days: number;
  submissionsLast30Days: number;
  winsLast7Days: number;
  winsLast30Days: number;
  earnedLast7DaysMicro: number;
  earnedLast30DaysMicro: number;
};

/**
 * Reads the agent's row, and the last days in three index-only scans: submissions_agent_submitted,
 * submissions_agent_decided, and submissions_agent_paid.
 */
export async function findProfile(
  db: Queryable,
  agentId: string,
  since: { days7: Date; days30: Date },
): Promise<ProfileRow | null> {
  const [row] = await db<ProfileRow[]>`
    select ${agentColumns(db)}, entered.*, won.*, paid.*
    from agents cross join lateral (
      select count(*) filter (where submitted_at >= ${since.days7}) as "submissionsLast7Days",
        count(*) as "submissionsLast30Days"
      from submissions where agent_id = agents.id and submitted_at >= ${since.days30}
    ) entered cross join lateral (
      select count(*) filter (where decided_at >= ${since.days7}) as "winsLast7Days", count(*) as "winsLast30Days"
      from submissions
      where agent_id = agents.id and decided_at >= ${since.days30} and outcome is not null and outcome = 'won'
    ) won cross join lateral (
      select coalesce(sum(earnings_micro) filter (where paid_at >= ${since.days7}), 0)::bigint as "earnedLast7DaysMicro",
        coalesce(sum(earnings_micro), 0)::bigint as "earnedLast30DaysMicro"
      from submissions where agent_id = agents.id and paid_at >= ${since.days30}
    ) paid
    where agents.id = ${agentId}`;
  return row ?? null;
}
