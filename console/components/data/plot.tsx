import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { forLocale } from '../../messages/public.ts';
import { useScheme } from '../../styles/public.ts';
import { barsBeside, stepOf } from './bar-places.ts';
import type { ChartProps, Series } from './chart-data.ts';
import classes from './chart.module.css';

const HEIGHT = 240;
const FONT = 'ui-sans-serif, system-ui, sans-serif';
/** For names, which are longer than numbers. */
const SMALL = `12px ${FONT}`;
const LINES = ['--accent', '--good', '--warn', '--ink-soft'];

/** Draws the chart itself; `Chart` adds the title and the table. */
export function Plot({ kind, x, series, range }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const scheme = useScheme();
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const plot = new uPlot(
      optionsOf({ kind, x, series, range, width: element.clientWidth }),
      dataOf({ kind, x, series }),
      element,
    );
    const watcher = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      plot.destroy();
    };
    // Drawing reads the colors of the current scheme, so a new scheme needs a new drawing.
  }, [kind, x, series, range, scheme]);
  return (
    <>
      {series.length > 1 ? (
        <ul className="row soft small">
          {series.map(({ label }, index) => (
            <li key={label} className="row">
              <span className={classes.swatch} style={{ background: `var(${LINES[index % LINES.length]})` }} />
              {label}
            </li>
          ))}
        </ul>
      ) : null}
      <div ref={place} />
    </>
  );
}

type Drawing = Pick<ChartProps, 'kind' | 'x' | 'series'> & { range: ChartProps['range']; width: number };

function optionsOf({ kind, x, series, range, width }: Drawing): uPlot.Options {
  const grid = { stroke: color('--line'), width: 1 };
  const axis = { stroke: color('--ink-soft'), grid, ticks: grid, font: `13px ${FONT}` };
  const named = !areTimes(x.values);
  const format = series[0]?.format;
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    // Days are UTC days.
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: {
      x: { time: !named, ...(kind === 'bars' || named ? { range: aroundPlaces } : {}) },
      y: { range: range ?? ((_plot, _least, most) => [0, Math.max(isWhole(series) ? 1 : 0, most * 1.08)]) },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        ...(named ? { font: SMALL, splits: () => x.values.map((_, index) => index) } : { space: 72 }),
        values: (_plot, splits) =>
          splits.map((at) => (named ? inLines(x.values[at] ?? '') : shortDay().format(new Date(at * 1000)))),
      },
      {
        ...axis,
        size: 64,
        ...(isWhole(series) ? { incrs: STEPS } : {}),
        ...(format ? { values: (_plot: uPlot, splits: number[]) => splits.map(format) } : {}),
      },
    ],
    series: [{}, ...series.map((one, index) => lineOf(kind, one, { index, count: series.length }))],
  };
}

/** Leaves room for half a group of bars at both ends. */
function aroundPlaces({ data: [places] }: uPlot): [number, number] {
  const room = stepOf(places) * 0.6;
  return [(places[0] ?? 0) - room, (places.at(-1) ?? 0) + room];
}

/** Breaks a name into lines, `Symbols &` above `Corporate`, so labels fit side by side on a phone. */
function inLines(name: string): string {
  return name.replaceAll(/ (?!&)/g, '\n');
}

type Place = { index: number; count: number };

function lineOf(kind: ChartProps['kind'], { label, values }: Series, { index, count }: Place): uPlot.Series {
  const stroke = color(LINES[index % LINES.length] ?? '--accent');
  const valueCount = values.filter((value) => value !== null).length;
  if (kind === 'bars') {
    const paths = barsBeside(index, count);
    return { label, fill: stroke, width: 0, points: { show: false }, ...(paths ? { paths } : {}) };
  }
  // With few values among many days, only points are visible.
  const points = { show: valueCount < MOST_POINTS, size: 7, fill: stroke };
  // Dashes keep a covered line visible.
  return { label, stroke, width: 2, spanGaps: true, points, ...(index > 0 ? { dash: [6, 6] } : {}) };
}

const MOST_POINTS = 40;
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 100_000, 1_000_000];
const shortDay = forLocale(
  (locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
);

function isWhole(series: Series[]): boolean {
  return series.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)));
}

function dataOf({ kind, x, series }: Pick<ChartProps, 'kind' | 'x' | 'series'>): uPlot.AlignedData {
  const places = areTimes(x.values) ? x.values.map((at) => Date.parse(at) / 1000) : x.values.map((_, index) => index);
  // uPlot draws the edge of a bar even if its value is zero.
  const drawn = (value: number | null) => (kind === 'bars' && value === 0 ? null : value);
  return [places, ...series.map(({ values }) => values.map(drawn))];
}

/** Accepts ISO 8601 only, because `Date.parse` accepts much more. */
function areTimes(values: string[]): boolean {
  return values.every((value) => /^\d{4}-\d{2}-\d{2}/.test(value));
}

function color(variable: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}
