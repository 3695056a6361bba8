import { forLocale } from '../../messages/public.ts';
import classes from './chart.module.css';

export type Series = {
  label: string;
  /** One value for each entry of `x`; null if there is none. */
  values: (number | null)[];
  /** Formats values for the table and the axis. */
  format?: (value: number) => string;
};

export type ChartProps = {
  title: string;
  kind: 'line' | 'bars';
  /** ISO 8601 times, or group names. */
  x: { label: string; values: string[]; format?: (value: string) => string };
  series: Series[];
  /** Minimum and maximum of the value axis, if they are fixed. */
  range?: [least: number, most: number];
  /** Series that appear in the table only, because they would need another axis. */
  more?: Series[];
};

const COLORS = ['var(--accent)', 'var(--good)', 'var(--warn)', 'var(--ink-soft)'];
const colorOf = (index: number) => COLORS[index % COLORS.length];
/** The bars of a place take this share of its width. The rest is between groups. */
const GROUP_SHARE = 0.7;
const WIDEST_BAR = 10;
/** With few values among many days, only points are visible. */
const MOST_POINTS = 40;
const MOST_DAYS = 4;
const shortDay = forLocale(
  (locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
);

/** Draws the chart itself; `Chart` adds the title and the table. Places and values are percents of the drawing. */
export function Plot({ kind, x, series, range }: ChartProps) {
  const known = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const ticks = ticksOf(range?.[1] ?? Math.max(...known), known.every(Number.isInteger));
  const top = ticks.at(-1) ?? 1;
  const scale: Scale = { band: 100 / x.values.length, yOf: (value) => 100 - (value / top) * 100 };
  const format = series[0]?.format ?? String;
  return (
    <>
      {series.length > 1 ? (
        <ul className="row soft small">
          {series.map(({ label }, index) => (
            <li key={label} className="row">
              <span className={classes.swatch} style={{ background: colorOf(index) }} />
              {label}
            </li>
          ))}
        </ul>
      ) : null}
      <div className={classes.plot}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none">
          {ticks.map((tick) => (
            <path key={tick} d={`M0 ${scale.yOf(tick)}H100`} stroke="var(--line)" vectorEffect="non-scaling-stroke" />
          ))}
          {series.map((one, index) =>
            kind === 'bars' ? (
              <Bars key={one.label} of={one} index={index} count={series.length} scale={scale} />
            ) : (
              <Line key={one.label} of={one} index={index} scale={scale} />
            ),
          )}
        </svg>
        {ticks.map((tick) => (
          <span key={tick} className={classes.y} style={{ top: `${scale.yOf(tick)}%` }}>
            {format(tick)}
          </span>
        ))}
        {namesOf(x.values).map(({ name, index }) => (
          <span key={index} className={classes.x} style={{ left: `${(index + 0.5) * scale.band}%` }}>
            {name}
          </span>
        ))}
      </div>
    </>
  );
}

type Scale = { band: number; yOf: (value: number) => number };
type DrawnProps = { of: Series; index: number; scale: Scale };

/** The bars of a series stand beside those of the others. */
function Bars({ of: { values }, index, count, scale: { band, yOf } }: DrawnProps & { count: number }) {
  const width = Math.min((band * GROUP_SHARE) / count, WIDEST_BAR);
  const left = (place: number) => (place + 0.5) * band + (index - count / 2) * width;
  return values.map((value, place) =>
    value ? (
      <rect key={place} x={left(place)} y={yOf(value)} width={width} height={100 - yOf(value)} fill={colorOf(index)} />
    ) : null,
  );
}

function Line({ of: { values }, index, scale: { band, yOf } }: DrawnProps) {
  const points = values.flatMap((value, place) => (value === null ? [] : [`${(place + 0.5) * band} ${yOf(value)}`]));
  const look = { stroke: colorOf(index), vectorEffect: 'non-scaling-stroke', fill: 'none' } as const;
  return (
    <>
      {/* Dashes keep a covered line visible. */}
      <path d={`M${points.join('L')}`} strokeWidth="2" strokeDasharray={index > 0 ? '6 6' : undefined} {...look} />
      {points.length < MOST_POINTS ? (
        <path d={points.map((point) => `M${point}h0`).join('')} strokeWidth="7" strokeLinecap="round" {...look} />
      ) : null}
    </>
  );
}

/** Returns about four round values, from zero to at least `most`. */
function ticksOf(most: number, isWhole: boolean): number[] {
  const rough = (most || 1) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough) ?? rough;
  const step = isWhole ? Math.max(1, round) : round;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => Number((index * step).toPrecision(9)));
}

/** Returns the names below the drawing: all names, or some of the days. */
function namesOf(values: string[]): { name: string; index: number }[] {
  const areDays = values.every((value) => /^\d{4}-\d{2}-\d{2}/.test(value));
  const every = areDays ? Math.ceil(values.length / MOST_DAYS) : 1;
  return values.flatMap((value, index) =>
    index % every === 0 ? [{ name: areDays ? shortDay().format(new Date(value)) : value, index }] : [],
  );
}
