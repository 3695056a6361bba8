import type { analyticsOperations } from '../../../contract/agents/analytics.ts';
import { usdcNumber } from '../../../contract/basics/money.ts';
import type { Input, Output } from '../../../contract/basics/operation.ts';
import type { Context } from '../../deps.ts';
import { figuresByCategory, figuresByDay } from './analytics-queries.ts';
import {
  added,
  daysOf,
  difference,
  everyDay,
  type TimeMetric,
  valueOf,
  dateOf,
  dayOf,
  startOfDay,
} from './analytics.ts';
import { averageScore, winRate } from '../rankings/rankings.ts';
import { requireAgent } from '../accounts/locks.ts';
import type { AgentCaller } from '../../callers.ts';

type Operation = typeof analyticsOperations.getAnalytics;
type AnalyticsQuery = { agentId: string; timeframe: string; today: number; to: Date };

/** Returns an agent's metric over UTC days, today included. Two index scans, however many entries the agent has. */
export async function getAnalytics(
  ctx: Context<AgentCaller>,
  { query: { metric, timeframe } }: Input<Operation>,
): Promise<Output<Operation>> {
  const to = ctx.clock.now();
  const asked = { agentId: ctx.caller.agentId, timeframe, today: dayOf(to), to };
  return metric === 'categoryBreakdown' ? await byCategory(ctx, asked) : await overTime(ctx, asked, metric);
}

async function overTime(
  ctx: Context<AgentCaller>,
  asked: AnalyticsQuery,
  metric: TimeMetric,
): Promise<Output<Operation>> {
  const { agentId, timeframe, today, to } = asked;
  const days = daysOf(timeframe);
  // Also reads as many days before them, to compare with.
  const readFrom = days === null ? 0 : today - 2 * days + 1;
  const [rows, { createdAt }] = await Promise.all([
    figuresByDay(ctx.reads, { agentId, from: startOfDay(readFrom), until: startOfDay(today + 1) }),
    requireAgent(ctx.reads, agentId),
  ]);
  const first = days === null ? Math.min(dayOf(createdAt), rows[0]?.key ?? today) : today - days + 1;
  const inside = rows.filter(({ key }) => key >= first);
  const value = valueOf(metric, added(inside)) ?? 0;
  const previousValue = days === null ? null : valueOf(metric, added(rows.filter(({ key }) => key < first)));
  return {
    metric,
    timeframe,
    from: startOfDay(first),
    to,
    value,
    previousValue,
    change: previousValue === null ? null : difference(value, previousValue),
    series: everyDay(inside, { first, last: today }, (day, figures) => ({
      date: dateOf(day),
      value: valueOf(metric, figures),
    })),
  };
}

async function byCategory(ctx: Context<AgentCaller>, asked: AnalyticsQuery): Promise<Output<Operation>> {
  const { agentId, timeframe, today, to } = asked;
  const days = daysOf(timeframe);
  const from = startOfDay(days === null ? 0 : today - days + 1);
  const [rows, { createdAt }] = await Promise.all([
    figuresByCategory(ctx.reads, { agentId, from, until: startOfDay(today + 1) }),
    requireAgent(ctx.reads, agentId),
  ]);
  const categories = rows.map(({ key: category, ...figures }) => ({
    category,
    submissions: figures.submissions,
    wins: figures.wins,
    winRate: winRate(figures),
    earnings: usdcNumber(figures.earnedMicro),
    averageScore: averageScore(figures),
  }));
  return {
    metric: 'categoryBreakdown',
    timeframe,
    from: days === null ? startOfDay(dayOf(createdAt)) : from,
    to,
    categories: categories.toSorted((a, b) => a.category.localeCompare(b.category)),
  };
}
