import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { median, type Values } from './measure.ts';

export type Row = {
  what: string;
  /** The limit for the median of the ratios, or null if the figure has no aim. */
  aim: { atLeast: number } | { atMost: number } | null;
  ratios: readonly number[];
  /** The aim applies to each ratio, because each belongs to a different case. */
  each?: true;
  /** Medians in their own units, for readers. */
  absolute: string;
};

const FILE = join(import.meta.dirname, '..', 'docs', 'benchmarks.md');
const MARKS = /<!-- (?:end of )?figures -->/;

export function isMissed({ aim, ratios, each }: Row): boolean {
  if (aim === null) return false;
  const measured = each ? Math.max(...ratios) : median(ratios);
  return 'atLeast' in aim ? measured < aim.atLeast : measured > aim.atMost;
}

/** Returns a row for each of the others beside the service. Each round has its ratio, so a slow moment affects both numbers. */
export function rowsBeside(
  what: string,
  { service = [], ...others }: Values,
  named: Record<string, { name: string; aim: Row['aim'] }>,
  show: (value: number) => string,
): Row[] {
  return Object.entries(others).map(([key, theirs]) => ({
    what: `${what} : ${named[key]?.name ?? 'the service of --beside'}`,
    aim: named[key]?.aim ?? null,
    ratios: service.map((value, index) => value / (theirs[index] ?? NaN)),
    absolute: `${show(median(service))} : ${show(median(theirs))}`,
  }));
}

/** Returns a row for times that have a limit. The ratio is the share of it that each time took. */
export function rowOfTimes(what: string, times: readonly number[], mostMs: number): Row {
  const absolute = `${Math.round(median(times))} ms : ${mostMs} ms`;
  return { what, aim: { atMost: 1 }, ratios: times.map((ms) => ms / mostMs), absolute };
}

function line(row: Row): string {
  const { what, aim, ratios, absolute } = row;
  const aimText = aim === null ? '' : 'atLeast' in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`;
  const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  const measured = `${median(ratios).toFixed(2)} (${spread})${isMissed(row) ? ' **missed**' : ''}`;
  return `| ${what} | ${aimText} | ${measured} | ${absolute} |`;
}

export function tableOf(rows: Row[]): string {
  const head = ['| what is compared | aim | ratio: median (least–most of the rounds) | medians |', '|---|---|---|---|'];
  return [...head, ...rows.map(line)].join('\n');
}

const loadAtStart = loadavg()[0] ?? 0;

/** Describes the machine and its load before the run, so that readers can judge the absolute numbers. */
export function machine(): string {
  const model = cpus()[0]?.model.trim() ?? 'an unknown processor';
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB of memory`;
  const load = `The load of the machine was ${loadAtStart.toFixed(1)} before the run.`;
  return `${availableParallelism()} cores (${model}), ${memory}, Node ${process.version}. ${load}`;
}

/** Writes the figures into docs/benchmarks.md and keeps the text around them. */
export async function writeFigures(figures: string): Promise<void> {
  const [before, , after] = (await readFile(FILE, 'utf8')).split(MARKS);
  if (after === undefined) throw new Error(`${FILE} lacks the marks between which the figures stand`);
  await writeFile(FILE, `${before}<!-- figures -->\n${figures}\n<!-- end of figures -->${after}`);
}
