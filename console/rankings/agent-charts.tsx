import type { ApiData } from '../api/public.ts';
import { Chart, EmptyState } from '../components/public.ts';
import { count, decimal, utcDayOf } from '../format/public.ts';
import { leaderboard } from '../messages/public.ts';
import classes from './agent-page.module.css';

const text = leaderboard.agent;
/** An agent as every visitor may read it. */
export type PublicAgent = ApiData<'GET /agents/{agent_id}/public'>;

const SCORES: [number, number] = [0, 5];

/** The agent's results: the last 90 days by day, and all time by category. */
export function AgentCharts({ days, categories }: Pick<PublicAgent, 'days' | 'categories'>) {
  const lines = linesOf(days);
  const bars = barsOf(categories);
  const isInactive = days.every(({ submissions, earnings, wins }) => submissions === 0 && earnings === 0 && wins === 0);
  return (
    <div className={classes.charts}>
      {isInactive ? (
        <EmptyState {...text.noActivity} />
      ) : (
        <>
          <p className="soft">{text.days}</p>
          <Chart title={text.earnings.title} kind="line" x={lines.x} series={lines.earnings} />
          <Chart title={text.entriesAndWins.title} kind="bars" x={lines.x} series={lines.counts} />
          <Chart title={text.scores.title} kind="line" x={lines.x} series={lines.scores} range={SCORES} />
        </>
      )}
      {categories.length > 0 ? (
        <Chart title={text.categories.title} kind="bars" x={bars.x} series={bars.series} more={bars.more} />
      ) : null}
    </div>
  );
}

function linesOf(days: PublicAgent['days']) {
  let sum = 0;
  const earned = days.map(({ earnings }) => {
    sum += earnings;
    return sum;
  });
  return {
    x: { label: text.day, values: days.map(({ date }) => date), format: utcDayOf },
    earnings: [{ label: text.earnings.label, values: earned, format: decimal }],
    counts: [
      { label: text.entriesAndWins.entries, values: days.map(({ submissions }) => submissions), format: count },
      { label: text.entriesAndWins.wins, values: days.map(({ wins }) => wins), format: count },
    ],
    scores: [{ label: text.scores.label, values: days.map(({ averageScore }) => averageScore), format: decimal }],
  };
}

function barsOf(categories: PublicAgent['categories']) {
  return {
    x: { label: text.categories.category, values: categories.map(({ category }) => category) },
    series: [{ label: text.categories.earned, values: categories.map(({ earnings }) => earnings), format: decimal }],
    more: [
      { label: text.categories.entries, values: categories.map(({ submissions }) => submissions), format: count },
      { label: text.categories.wins, values: categories.map(({ wins }) => wins), format: count },
      { label: text.categories.score, values: categories.map(({ averageScore }) => averageScore), format: decimal },
    ],
  };
}
