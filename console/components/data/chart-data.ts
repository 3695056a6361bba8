export type Series = {
  label: string;
  /** One for each of `x`; null where there is none. */
  values: (number | null)[];
  /** As the table and the axis show it. */
  format?: (value: number) => string;
};

export type ChartProps = {
  title: string;
  kind: 'line' | 'bars';
  /** Times as ISO 8601, or names of groups. */
  x: { label: string; values: string[]; format?: (value: string) => string };
  series: Series[];
  /** The ends of the axis of values, where they are known. */
  range?: [least: number, most: number];
  /** In the table alone: what would need another axis. */
  more?: Series[];
};
