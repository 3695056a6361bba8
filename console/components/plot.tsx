import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { ChartProps } from './chart.tsx';
import classes from './chart.module.css';

const HEIGHT = 240;
const LINES = ['--accent', '--good', '--warn', '--ink-soft'];

/** The drawing alone; `Chart` puts its title and its table around it. */
export function Plot({ kind, x, series }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme();
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const plot = new uPlot(optionsOf({ kind, x, series, width: element.clientWidth }), dataOf({ x, series }), element);
    const watcher = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      plot.destroy();
    };
    // The colours of a scheme are read when it is drawn.
  }, [kind, x, series, scheme]);
  return (
    <>
      {series.length > 1 ? (
        <ul className={classes.legend}>
          {series.map(({ label }, index) => (
            <li key={label}>
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

type Drawing = Pick<ChartProps, 'kind' | 'x' | 'series'> & { width: number };

function optionsOf({ kind, x, series, width }: Drawing): uPlot.Options {
  const grid = { stroke: colour('--line'), width: 1 };
  const axis = { stroke: colour('--ink-soft'), grid, ticks: grid, font: '13px ui-sans-serif, system-ui, sans-serif' };
  const named = isNamed(x.values);
  const format = series[0]?.format;
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: !named, ...(named ? { range: [-0.6, x.values.length - 0.4] as [number, number] } : {}) } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        ...(named
          ? {
              splits: () => x.values.map((_, index) => index),
              values: (_: uPlot, splits: number[]) => splits.map((index) => x.values[index] ?? ''),
            }
          : {}),
      },
      { ...axis, size: 64, ...(format ? { values: (_: uPlot, splits: number[]) => splits.map(format) } : {}) },
    ],
    series: [
      {},
      ...series.map(({ label }, index) => {
        const stroke = colour(LINES[index % LINES.length] ?? '--accent');
        const bars =
          kind === 'bars' && uPlot.paths.bars ? { paths: uPlot.paths.bars({ size: [0.6, 64], radius: 0.15 }) } : {};
        return {
          label,
          stroke,
          width: 2,
          spanGaps: true,
          points: { show: kind === 'line' && x.values.length < 40, size: 6 },
          ...(kind === 'bars' ? { fill: stroke } : {}),
          ...bars,
        };
      }),
    ],
  };
}

function dataOf({ x, series }: Pick<ChartProps, 'x' | 'series'>): uPlot.AlignedData {
  const places = isNamed(x.values) ? x.values.map((_, index) => index) : x.values.map((at) => Date.parse(at) / 1000);
  return [places, ...series.map(({ values }) => values)];
}

function isNamed(values: string[]): boolean {
  return values.some((value) => Number.isNaN(Date.parse(value)));
}

function colour(variable: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}
