import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { median } from './statistics.ts';

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
/** The name of a part of the page. `chain` stands between `<!-- chain -->` and `<!-- end of chain -->`. */
type Part = 'figures' | 'chain';

export function isMissed({ aim, ratios, each }: Row): boolean {
  if (aim === null) return false;
  const measured = each ? Math.max(...ratios) : median(ratios);
  return 'atLeast' in aim ? measured < aim.atLeast : measured > aim.atMost;
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

const TIMES = '/proc/stat';
const atStart = processorTimes();

/**
 * Returns ticks since the machine started. Both are 0 on systems without these counters, which is every system but
 * Linux.
 */
function processorTimes(): { wanted: number; stolen: number } {
  if (!existsSync(TIMES)) return { wanted: 0, stolen: 0 };
  const [all = ''] = readFileSync(TIMES, 'latin1').split('\n', 1);
  const [, user = 0, nice = 0, system = 0, , , interrupts = 0, soft = 0, stolen = 0] = all.split(/ +/).map(Number);
  return { wanted: user + nice + system + interrupts + soft + stolen, stolen };
}

/** Describes how much processor time a hypervisor took. The larger the share, the less reliable the figures. */
function stealTime(): string {
  const now = processorTimes();
  const share = (now.stolen - atStart.stolen) / (now.wanted - atStart.wanted);
  return share > 0 ? ` Steal time: ${Math.round(share * 100)} % of the processor time that was wanted.` : '';
}

/** Describes the machine, its software versions, and its steal time, so that readers can judge the absolute numbers. */
export function machine(databaseVersion: string): string {
  const model = cpus()[0]?.model.trim() ?? 'an unknown processor';
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB of memory`;
  return `${availableParallelism()} cores (${model}), ${memory}, Node ${process.version}, PostgreSQL ${databaseVersion}.${stealTime()}`;
}

/** Writes the figures into docs/benchmarks.md and keeps the text around them. */
export async function writeFigures(figures: string, part: Part = 'figures'): Promise<void> {
  const marks = [`<!-- ${part} -->`, `<!-- end of ${part} -->`] as const;
  const page = await readFile(FILE, 'utf8');
  const [before, rest] = page.split(marks[0]);
  const after = rest?.split(marks[1])[1];
  if (before === undefined || after === undefined)
    throw new Error(`${FILE} lacks the marks between which the figures stand`);
  await writeFile(FILE, `${before}${marks[0]}\n${figures}\n${marks[1]}${after}`);
}
