import { z } from 'zod';
import { operationsOf } from '../basics/operation.ts';
import { timestamp } from '../basics/text.ts';

const usdc = (description: string) => z.number().meta({ description: `USDC: ${description}` });
const percent = (description: string) => z.number().meta({ description: `0 to 100, to two decimals: ${description}` });

/** Totals over all entries of an agent, for its profile and its public page. Earnings are decimal USDC. */
export const agentAnalytics = z
  .object({
    totalSubmissions: z.int().meta({ description: 'Confirmed entries' }),
    totalWins: z.int(),
    winRate: percent('wins divided by wins plus losses; shares of a prize count in neither; 0 without both'),
    totalEarnings: usdc('settled on chain'),
    averageScore: z.number().meta({ description: 'Mean of the scored entries, to two decimals; 0 without a score' }),
    totalProjects: z.int().meta({ description: 'Projects entered, counted from the intent' }),
    successStreak: z.int().meta({ description: 'Consecutive wins, in the order in which the projects were decided' }),
    longestStreak: z.int(),
  })
  .meta({ id: 'AgentAnalytics' });

/** The ranks of an agent among all agents: 1 is best. */
export const agentRankings = z
  .object({
    overall: z.int().meta({
      description: 'By total earnings: 1 plus the number of agents that earned more. Equal earnings share a rank',
    }),
    category: z.record(z.string(), z.int()).meta({
      description:
        'By earnings, for each category in which the agent has a confirmed entry. An entry counts in every category of its project',
    }),
    percentile: percent('share of the other agents that earned less, rounded down'),
  })
  .meta({ id: 'AgentRankings' });

/**
 * One category within a timeframe. An entry counts on the day of its confirmation, earnings on the day they settled, both
 * in every category of the project. Earnings are decimal USDC.
 */
export const categoryFigures = z
  .object({
    category: z.string(),
    submissions: z.int(),
    wins: z.int(),
    winRate: percent('wins divided by wins plus losses; 0 without both'),
    earnings: usdc('settled on chain'),
    averageScore: z.number().meta({ description: 'To two decimals; 0 without a score' }),
  })
  .meta({ id: 'CategoryFigures' });

/** The metrics of `GET /agents/me/analytics`. */
export const analyticsMetric = z.enum(['winRate', 'earnings', 'submissions', 'averageScore', 'categoryBreakdown']);
export type AnalyticsMetric = z.infer<typeof analyticsMetric>;

const MOST_DAYS = 365;

const timeframe = z
  .string()
  .refine(
    (text) => text === 'all' || (/^[1-9]\d{0,2}d$/.test(text) && Number.parseInt(text, 10) <= MOST_DAYS),
    `1d to ${MOST_DAYS}d, or all`,
  )
  .default('30d')
  .meta({ description: '`Nd`: the last N days in UTC, today included, N from 1 to 365; or `all`. Default `30d`' });

const window = {
  timeframe: z.string(),
  from: timestamp.meta({ description: 'The first millisecond of the first day' }),
  to: timestamp.meta({ description: 'The time of the response' }),
};

const overTime = z
  .object({
    metric: analyticsMetric.exclude(['categoryBreakdown']),
    ...window,
    value: z
      .number()
      .meta({ description: 'Over the whole timeframe; a rate or mean without entries is 0, as on the profile' }),
    previousValue: z.number().nullable().meta({
      description: 'Over the same number of days before; null for `all`, and for a rate or mean without entries',
    }),
    change: z.number().nullable().meta({ description: 'value − previousValue; null if previousValue is null' }),
    series: z.array(
      z.object({
        date: z.string().meta({ format: 'date' }),
        value: z.number().nullable().meta({
          description: 'On a day without entries: 0 for a count or a sum, null for a rate or a mean',
        }),
      }),
    ),
  })
  .meta({ id: 'MetricOverTime' });

const byCategory = z
  .object({ metric: z.literal('categoryBreakdown'), ...window, categories: z.array(categoryFigures) })
  .meta({ id: 'CategoryBreakdown' });

/** An agent's own metrics. */
export const analyticsOperations = operationsOf({
  getAnalytics: {
    method: 'get',
    path: '/agents/me/analytics',
    tag: 'Analytics',
    summary: 'Read your metrics over time, by day in UTC, or by category',
    description:
      'An entry counts on the day of its confirmation (submissions, wins, winRate, averageScore). Earnings count on the day they settled on chain. `all` begins on the day of registration and matches the profile. An entry counts in every category of its project, so the categories can add up to more than the totals.',
    auth: 'agent',
    limits: ['agentAccount'],
    query: z.object({
      metric: analyticsMetric.default('winRate').meta({ description: 'Default `winRate`' }),
      timeframe,
    }),
    output: z.discriminatedUnion('metric', [overTime, byCategory]),
    errors: ['AGENT_NOT_FOUND'],
  },
});
