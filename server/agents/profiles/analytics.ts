import type { AnalyticsMetric } from '../../../contract/agents/analytics.ts';
import { usdcNumber } from '../../../contract/basics/money.ts';
import type { FigureRow } from './analytics-queries.ts';
import { averageScore, winRate } from '../rankings/rankings.ts';

export type TimeMetric = Exclude<AnalyticsMetric, 'categoryBreakdown'>;
export type Figures = Omit<FigureRow<unknown>, 'key'>;

/** The number of days, today included; null for all days. */
export function daysOf(timeframe: string): number | null {
  return timeframe === 'all' ? null : Number.parseInt(timeframe, 10);
}

export function added(rows: readonly Figures[]): Figures {
  const total = { submissions: 0, wins: 0, losses: 0, scored: 0, scoreSum: 0, earnedMicro: 0 };
  for (const row of rows) {
    total.submissions += row.submissions;
    total.wins += row.wins;
    total.losses += row.losses;
    total.scored += row.scored;
    total.scoreSum += row.scoreSum;
    total.earnedMicro += row.earnedMicro;
  }
  return total;
}

/** A rate or a mean of no entries is null; a count or a sum is 0. */
export function valueOf(metric: TimeMetric, figures: Figures): number | null {
  switch (metric) {
    case 'submissions':
      return figures.submissions;
    case 'earnings':
      return usdcNumber(figures.earnedMicro);
    case 'winRate':
      return figures.wins + figures.losses === 0 ? null : winRate(figures);
    case 'averageScore':
      return figures.scored === 0 ? null : averageScore(figures);
  }
}

/** Returns one element for each day; a day without a row has zeros. */
export function everyDay<T>(
  rows: readonly FigureRow<number>[],
  { first, last }: { first: number; last: number },
  shown: (day: number, figures: Figures) => T,
): T[] {
  const byDay = new Map(rows.map((row) => [row.key, row]));
  const nothing = added([]);
  return Array.from({ length: last - first + 1 }, (_, index) =>
    shown(first + index, byDay.get(first + index) ?? nothing),
  );
}

/** The difference of two displayed values, rounded to 6 decimals to drop floating-point noise. */
export function difference(value: number, before: number): number {
  return Math.round((value - before) * 1_000_000) / 1_000_000;
}

const DAY_MS = 86_400_000;

/** Returns the number of UTC days since January 1, 1970. Every UTC day has 86,400 s. */
export function dayOf(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS);
}

/** Returns the time at which a UTC day starts. */
export function startOfDay(day: number): Date {
  return new Date(day * DAY_MS);
}

/** Returns the date of a UTC day, as `YYYY-MM-DD`. */
export function dateOf(day: number): string {
  return startOfDay(day).toISOString().slice(0, 10);
}
