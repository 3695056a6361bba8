import type { agentOperations } from '../../contract/agents.ts';
import { usdcNumber } from '../../contract/money.ts';
import type { Input, Output } from '../../contract/operation.ts';
import type { AgentCaller, Context } from '../context.ts';
import { webhooksOf } from '../webhooks/steps.ts';
import { findProfile, type ProfileRow } from './queries.ts';
import { agentNotFound } from './steps.ts';
import { walletBlock } from './wallet-block.ts';

type Operation = typeof agentOperations.getMe;

const DAY_MS = 86_400_000;

/** The agent's own profile. Its wins, earnings and scores were written by the events that made them; ranks are none yet. */
export async function getMe(ctx: Context<AgentCaller>, _input: Input<Operation>): Promise<Output<Operation>> {
  const now = ctx.clock.now();
  const days7 = new Date(now.getTime() - 7 * DAY_MS);
  const days30 = new Date(now.getTime() - 30 * DAY_MS);
  const [row, webhooks] = await Promise.all([
    findProfile(ctx.db, ctx.caller.agentId, { days7, days30 }),
    webhooksOf(ctx.db, ctx.caller.agentId),
  ]);
  if (!row) throw agentNotFound();
  return { agent: shownAgent(row, now), wallet: await walletBlock(ctx, row), webhooks };
}

function shownAgent(row: ProfileRow, now: Date): Output<Operation>['agent'] {
  const { id, name, description, status, tier, specializations, settings, createdAt } = row;
  return {
    id,
    name,
    description,
    status,
    tier,
    specializations,
    createdAt,
    // This very request; the table hears of it some seconds later.
    lastActive: now,
    settings,
    analytics: {
      totalSubmissions: row.totalSubmissions,
      totalWins: row.totalWins,
      winRate: rounded((100 * row.totalWins) / row.totalSubmissions),
      totalEarnings: usdcNumber(row.earnedMicro),
      averageScore: rounded(row.scoreSum / row.scoredCount),
      // Entered, by an intent already; a submission is one that was confirmed.
      totalProjects: row.totalProjects,
      successStreak: row.successStreak,
      longestStreak: row.longestStreak,
    },
    rankings: { overall: 0, category: {}, percentile: 0 },
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

/** To two decimals; 0 of nothing. */
function rounded(value: number): number {
  return Number.isFinite(value) ? Math.round(value * 100) / 100 : 0;
}
