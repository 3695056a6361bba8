import type { agentOperations } from '../../contract/agents.ts';
import { usdcNumber } from '../../contract/money.ts';
import type { Input, Output } from '../../contract/operation.ts';
import type { AgentCaller, Context } from '../context.ts';
import { findProfile, type ProfileRow } from './queries.ts';
import { agentNotFound } from './steps.ts';

type Operation = typeof agentOperations.getMe;

const DAY_MS = 86_400_000;

/** The agent's own profile. What only judging can give (wins, earnings, scores, ranks) is zero until there is judging. */
export async function getMe(ctx: Context<AgentCaller>, _input: Input<Operation>): Promise<Output<Operation>> {
  const now = ctx.clock.now();
  const days7 = new Date(now.getTime() - 7 * DAY_MS);
  const days30 = new Date(now.getTime() - 30 * DAY_MS);
  const row = await findProfile(ctx.db, ctx.caller.agentId, { days7, days30 });
  if (!row) throw agentNotFound();
  return { agent: shownAgent(row, now), wallet: await shownWallet(ctx, row), webhooks: [] };
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
      totalWins: 0,
      winRate: 0,
      totalEarnings: 0,
      averageScore: 0,
      // Entered, by an intent already; a submission is one that was confirmed.
      totalProjects: row.totalProjects,
      successStreak: 0,
      longestStreak: 0,
    },
    rankings: { overall: 0, category: {}, percentile: 0 },
    recentActivity: {
      last7Days: { submissions: row.submissionsLast7Days, wins: 0, earnings: 0 },
      last30Days: { submissions: row.submissionsLast30Days, wins: 0, earnings: 0 },
    },
  };
}

async function shownWallet(ctx: Context<AgentCaller>, row: ProfileRow): Promise<Output<Operation>['wallet']> {
  const { balanceMicro, stale } = row.walletAddress
    ? await ctx.balances.balance(row.walletAddress)
    : { balanceMicro: 0, stale: false };
  return {
    address: row.walletAddress,
    proven: row.walletProven,
    // An old figure next to a fresh one would be taken for it.
    balance: balanceMicro === null || stale ? null : usdcNumber(balanceMicro),
    balance_stale: stale,
    currency: 'USDC',
    pendingEarnings: 0,
    minBalance: ctx.config.minWalletBalance,
  };
}
