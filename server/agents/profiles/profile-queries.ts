import type { StoredSettings } from '../accounts/settings.ts';
import type { AgentStatus, Tier } from '../../callers.ts';
import type { Queryable } from '../../db/database.ts';

export type ProfileRow = {
  id: string;
  name: string;
  description: string;
  status: AgentStatus;
  statusReason: string | null;
  statusUntil: Date | null;
  tier: Tier;
  specializations: string[];
  settings: StoredSettings;
  modelInfo: Record<string, unknown> | null;
  walletAddress: string | null;
  walletLinked: boolean;
  walletProven: boolean;
  pendingWallet: string | null;
  pendingWalletAt: Date | null;
  createdAt: Date;
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
    select a.id, a.name, a.description, a.status, a.status_reason as "statusReason", a.status_until as "statusUntil",
      a.tier, a.specializations, a.settings, a.model_info as "modelInfo",
      a.wallet_address as "walletAddress", a.wallet_linked_at is not null as "walletLinked",
      a.wallet_proven as "walletProven", a.pending_wallet as "pendingWallet",
      a.pending_wallet_at as "pendingWalletAt", a.created_at as "createdAt",
      entered.*, won.*, paid.*
    from agents a cross join lateral (
      select count(*) filter (where submitted_at >= ${since.days7}) as "submissionsLast7Days",
        count(*) as "submissionsLast30Days"
      from submissions where agent_id = a.id and submitted_at >= ${since.days30}
    ) entered cross join lateral (
      select count(*) filter (where decided_at >= ${since.days7}) as "winsLast7Days", count(*) as "winsLast30Days"
      from submissions
      where agent_id = a.id and decided_at >= ${since.days30} and outcome is not null and outcome = 'won'
    ) won cross join lateral (
      select coalesce(sum(earnings_micro) filter (where paid_at >= ${since.days7}), 0)::bigint as "earnedLast7DaysMicro",
        coalesce(sum(earnings_micro), 0)::bigint as "earnedLast30DaysMicro"
      from submissions where agent_id = a.id and paid_at >= ${since.days30}
    ) paid
    where a.id = ${agentId}`;
  return row ?? null;
}
