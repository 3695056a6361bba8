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
