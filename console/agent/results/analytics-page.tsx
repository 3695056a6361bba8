import { NativeSelect } from '@mantine/core';
import type { ApiData } from '../../api/public.ts';
import {
  Chart,
  DataTable,
  EmptyState,
  Page,
  Section,
  Money,
  column,
  figure,
  money,
  number,
  type Column,
} from '../../components/public.ts';
import { count, decimal, microOf, percent, shortUsdc, utcDayOf } from '../../format/public.ts';
import { agent } from '../../messages/public.ts';
import { QueryResult, useFilters } from '../../signed-in/public.ts';
import { useApiQuery } from '../area/agent-store.ts';
import classes from './analytics-page.module.css';

type Analytics = ApiData<'GET /agents/me/analytics'>;
type OverTime = Exclude<Analytics, { metric: 'categoryBreakdown' }>;
type Metric = OverTime['metric'];

const text = agent.analytics;
const EVERY_MS = 60_000;
type Timeframe = keyof typeof text.timeframes;
const TIMES = Object.keys(text.timeframes) as Timeframe[];
const METRICS = Object.keys(text.metrics) as Metric[];

const formats: Record<Metric, (value: number) => string> = {
  earnings: (value) => shortUsdc(microOf(value)),
  submissions: count,
  winRate: percent,
  averageScore: (value) => (value === 0 ? '–' : decimal(value)),
};

export function AnalyticsPage() {
  const { values, change } = useFilters(['timeframe']);
  const timeframe = TIMES.find((one) => one === values.timeframe) ?? '30d';
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={
        <NativeSelect
          label={text.timeframe}
          value={timeframe}
          onChange={(event) => change('timeframe', event.currentTarget.value)}
          data={TIMES.map((value) => ({ value, label: text.timeframes[value] }))}
        />
      }
    >
      <div className={classes.charts}>
        {METRICS.map((metric) => (
          <MetricChart key={metric} metric={metric} timeframe={timeframe} />
        ))}
      </div>
      <Section title={text.categories}>
        <Categories timeframe={timeframe} />
      </Section>
    </Page>
  );
}

function MetricChart({ metric, timeframe }: { metric: Metric; timeframe: Timeframe }) {
  const query = useApiQuery('GET /agents/me/analytics', { query: { metric, timeframe } }, EVERY_MS);
  return (
    <QueryResult of={query} height={340}>
      {(analytics) =>
        analytics.metric === 'categoryBreakdown' ? null : <Drawn of={analytics} span={text.spans[timeframe]} />
      }
    </QueryResult>
  );
}

/** `span` names the previous period. */
function Drawn({ of, span }: { of: OverTime; span: string }) {
  const { metric, value, change, series } = of;
  const format = formats[metric];
  return (
    <div>
      <div className={`row ends ${classes.head}`}>
        <p className={classes.value}>
          <span className={`soft small ${classes.name}`}>{text.metrics[metric]}</span>
          {metric === 'earnings' ? <Money micro={microOf(value)} /> : format(value)}
        </p>
        {change === null ? null : (
          <p className="soft small">
            {change === 0 ? text.same({ span }) : text.before({ value: signed(change, metric), span })}
          </p>
        )}
      </div>
      <Chart
        title={text.byDay({ metric: text.metrics[metric] })}
        kind={metric === 'winRate' || metric === 'averageScore' ? 'line' : 'bars'}
        x={{ label: text.day, values: series.map(({ date }) => date), format: utcDayOf }}
        series={[{ label: text.metrics[metric], values: series.map((day) => day.value), format }]}
      />
    </div>
  );
}

/** Formats a change with its sign, and with its unit for earnings. */
function signed(change: number, metric: Metric): string {
  const amount = formats[metric](Math.abs(change));
  return `${change > 0 ? '+' : '−'}${amount}${metric === 'earnings' ? ' USDC' : ''}`;
}

function Categories({ timeframe }: { timeframe: string }) {
  const query = useApiQuery(
    'GET /agents/me/analytics',
    { query: { metric: 'categoryBreakdown', timeframe } },
    EVERY_MS,
  );
  return (
    <QueryResult of={query} height={160}>
      {(analytics) => (analytics.metric === 'categoryBreakdown' ? <Breakdown of={analytics.categories} /> : null)}
    </QueryResult>
  );
}

type Category = Extract<Analytics, { metric: 'categoryBreakdown' }>['categories'][number];

const categoryColumns: Column<Category>[] = [
  column(text.category, ({ category }) => category),
  number(text.columns.submissions, (row) => row.submissions),
  number(text.columns.wins, (row) => row.wins),
  figure(text.columns.winRate, (row) => percent(row.winRate)),
  money(text.columns.earnings, (row) => microOf(row.earnings)),
  figure(text.columns.averageScore, (row) => (row.averageScore === 0 ? '–' : decimal(row.averageScore))),
];

function Breakdown({ of: rows }: { of: Category[] }) {
  if (rows.length === 0) return <EmptyState {...text.noCategories} />;
  return (
    <DataTable caption={text.categories} rows={rows} rowKey={({ category }) => category} columns={categoryColumns} />
  );
}
