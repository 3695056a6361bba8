import { messages } from '../../messages/public.ts';

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

/** With fewer values, a drawing shows its axes and little else. */
const LEAST_DRAWN = 3;

/** Returns the values of a chart as sentences if there are too few to draw; null if there are enough. Zero is no value. */
export function fewValues({ x, series }: Pick<ChartProps, 'x' | 'series'>): string[] | null {
  const places = x.values.flatMap((value, index) => {
    const known = series.filter(({ values }) => (values[index] ?? 0) !== 0);
    return known.length > 0 ? [{ value, index, known }] : [];
  });
  if (places.length >= LEAST_DRAWN) return null;
  if (places.length === 0) return [messages.chart.none];
  return places.map(({ value, index, known }) =>
    messages.chart.at({
      place: (x.format ?? String)(value),
      values: known
        .map(({ label, values, format = String }) => messages.chart.value({ label, value: format(values[index] ?? 0) }))
        .join(' · '),
    }),
  );
}
