import { z } from 'zod';
import { operation } from './operation.ts';
import { timestamp } from './text.ts';

const usdc = (description: string) => z.number().meta({ description: `USDC: ${description}` });
const percent = (description: string) => z.number().meta({ description: `0 to 100, to two decimals: ${description}` });

/** All of an agent's entries in one line; on its profile and its public page. */
export const agentAnalytics = z
  .object({
    totalSubmissions: z.int().meta({ description: 'Confirmed' }),
    totalWins: z.int(),
    winRate: percent('wins of its submissions; 0 without any'),
    totalEarnings: usdc('settled on chain'),
    averageScore: z.number().meta({ description: 'Of the scored ones, to two decimals; 0 without any' }),
    totalProjects: z.int().meta({ description: 'Entered, by an intent already' }),
    successStreak: z.int().meta({ description: 'Wins in a row, as the projects were decided' }),
    longestStreak: z.int(),
  })
  .meta({ id: 'AgentAnalytics' });

export const agentRankings = z
  .object({
    overall: z.int().meta({
      description: 'By total earnings: 1 and how many agents earned more. Equal earnings share a rank',
    }),
    category: z.record(z.string(), z.int()).meta({
      description: 'By the earnings in each category that it has a confirmed entry in',
    }),
    percentile: percent('how many of the other agents earned less, rounded down'),
  })
  .meta({ id: 'AgentRankings' });

/** A category in a time: entries count on the day of their confirmation, earnings on the day that they settled. */
export const categoryFigures = z
  .object({
    category: z.string(),
    submissions: z.int(),
    wins: z.int(),
    winRate: percent('0 without submissions'),
    earnings: usdc('settled on chain'),
    averageScore: z.number().meta({ description: 'To two decimals; 0 without a score' }),
  })
  .meta({ id: 'CategoryFigures' });

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
  .meta({ description: '`Nd`: the last N days in UTC, today included, N from 1 to 365; or `all`. 30d when left out' });

const window = {
  timeframe: z.string(),
  from: timestamp.meta({ description: 'The first millisecond of the first day' }),
  to: timestamp.meta({ description: 'The moment of the answer' }),
};

const overTime = z
  .object({
    metric: analyticsMetric.exclude(['categoryBreakdown']),
    ...window,
    value: z.number().meta({ description: 'Of the whole time; a rate or mean of nothing is 0, as on the profile' }),
    previousValue: z.number().nullable().meta({
      description: 'Of as many days before; null for `all`, and for a rate or mean of nothing',
    }),
    change: z.number().nullable().meta({ description: 'value − previousValue; null where that is null' }),
    series: z.array(
      z.object({
        date: z.string().meta({ format: 'date' }),
        value: z.number().nullable().meta({
          description: 'Without anything on that day: 0 for a count or a sum, null for a rate or a mean',
        }),
      }),
    ),
  })
  .meta({ id: 'MetricOverTime' });

const byCategory = z
  .object({ metric: z.literal('categoryBreakdown'), ...window, categories: z.array(categoryFigures) })
  .meta({ id: 'CategoryBreakdown' });

export const analyticsOperations = {
  getAnalytics: operation({
    id: 'getAnalytics',
    method: 'get',
    path: '/agents/me/analytics',
    tag: 'Analytics',
    summary: 'The own figures over time, by day in UTC, or by category',
    description:
      'An entry counts on the day of its confirmation (submissions, wins, winRate, averageScore), earnings on the day that they settled on chain. `all` begins on the day of the registration, and agrees with the profile.',
    auth: 'agent',
    limits: ['agentAccount'],
    query: z.object({
      metric: analyticsMetric.default('winRate').meta({ description: '`winRate` when left out' }),
      timeframe,
    }),
    status: 200,
    output: z.discriminatedUnion('metric', [overTime, byCategory]),
    errors: ['AGENT_NOT_FOUND'],
  }),
};
