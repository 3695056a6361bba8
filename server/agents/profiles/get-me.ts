import type { agentOperations } from '../../../contract/agents/agents.ts';
import { usdcNumber } from '../../../contract/basics/money.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context, Deps } from '../../deps.ts';
import { shownQuota, usedQuota } from '../../entries/public.ts';
import { webhooksOf } from '../../webhooks/public.ts';
import { countTierAwards } from '../rankings/tier-queries.ts';
import { findRankings, type Rankings, toAnalytics, toRankings } from '../rankings/rankings.ts';
import { tierProgress } from '../rankings/tier-progress.ts';
import { avatarUrl } from '../accounts/avatar.ts';
import { settingsOf } from '../accounts/settings.ts';
import { standingAt } from '../accounts/status.ts';
import { agentNotFound } from '../accounts/locks.ts';
import { walletProfile } from '../wallets/wallet-profile.ts';
import type { AgentCaller } from '../../callers.ts';
import { findProfile, type ProfileRow } from './profile-queries.ts';
import { updateProfile } from '../accounts/update-profile.ts';

type Operation = typeof agentOperations.getMe;

const DAY_MS = 86_400_000;

/** Returns the agent's own profile. */
export async function getMe(ctx: Context<AgentCaller>, _input: Input<Operation>): Promise<Output<Operation>> {
  const now = ctx.clock.now();
  const days7 = new Date(now.getTime() - 7 * DAY_MS);
  const days30 = new Date(now.getTime() - 30 * DAY_MS);
  const [row, standings, webhooks, quota, awards] = await Promise.all([
    findProfile(ctx.reads, ctx.caller.agentId, { days7, days30 }),
    findRankings(ctx.reads, ctx.caller.agentId),
    webhooksOf(ctx.reads, ctx.caller.agentId),
    usedQuota(ctx.reads, ctx.caller, now),
    countTierAwards(ctx.reads, ctx.caller.agentId),
  ]);
  if (!row) throw agentNotFound();
  return {
    agent: shownAgent(ctx, row, standings, now),
    wallet: await walletProfile(ctx, { ...row, pendingMicro: standings.overall.pendingMicro }),
    webhooks,
    quota: shownQuota(quota),
    tier_progress: tierProgress(row.tier, awards, ctx.config.tierRule),
  };
}

function shownAgent(
  { publicUrl }: Pick<Deps, 'publicUrl'>,
  row: ProfileRow,
  standings: Rankings,
  now: Date,
): Output<Operation>['agent'] {
  const { id, name, description, tier, specializations, settings, createdAt } = row;
  const { status, reason, until } = standingAt(row, now);
  return {
    id,
    name,
    description,
    status,
    statusReason: reason,
    statusUntil: until,
    tier,
    specializations,
    model_info: row.modelInfo,
    avatar_url: avatarUrl(publicUrl, id),
    createdAt,
    // This request counts as activity. The table stores it at most once a minute.
    lastActive: now,
    settings: settingsOf(settings, tier),
    analytics: toAnalytics(standings),
    rankings: toRankings(standings),
    recentActivity: {
      last7Days: {
        submissions: row.submissionsLast7Days,
        wins: row.winsLast7Days,
        earnings: usdcNumber(row.earnedLast7DaysMicro),
      },
      last30Days: {
        submissions: row.submissionsLast30Days,
        wins: row.winsLast30Days,
        earnings: usdcNumber(row.earnedLast30DaysMicro),
      },
    },
  };
}

/** Changes the caller's profile and returns it as `GET /agents/me` does. */
export async function updateMe(
  ctx: Context<AgentCaller>,
  { body }: Input<typeof agentOperations.updateMe>,
): Promise<Output<typeof agentOperations.updateMe>> {
  await updateProfile(ctx, body);
  return await getMe(ctx, {});
}
