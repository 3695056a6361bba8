import stringWidth from 'string-width';
import { oneLine } from './printable.ts';

/** A value of a cell. Null and undefined show as a dash. */
export type Cell = string | number | boolean | null | undefined;
/** The heading of a column, and its value in a row. */
export type Columns<T> = Record<string, (row: T) => Cell>;

const GAP = '  ';

/** Returns rows as a table. The last column is cut at the edge of the terminal. */
export function tableOf<T>(rows: T[], columns: Columns<T>, width = Infinity): string {
  const names = Object.keys(columns);
  const cells = rows.map((row) => names.map((name) => textOf(columns[name]?.(row))));
  const lines = [names, ...cells];
  const widths = names.map((_, index) => Math.max(...lines.map((line) => stringWidth(line[index] ?? ''))));
  return lines.map((line) => `${cut(lineOf(line, widths), width)}\n`).join('');
}

/** Returns names and values, one pair a line. */
export function pairsOf(pairs: Record<string, Cell>): string {
  const width = Math.max(...Object.keys(pairs).map((name) => name.length));
  return Object.entries(pairs)
    .map(([name, value]) => `${name.padEnd(width)}${GAP}${textOf(value)}\n`)
    .join('');
}

function lineOf(cells: string[], widths: number[]): string {
  const padded = cells.map((cell, index) => `${cell}${' '.repeat((widths[index] ?? 0) - stringWidth(cell))}`);
  return padded.join(GAP).trimEnd();
}

function textOf(cell: Cell): string {
  return cell === null || cell === undefined || cell === '' ? '–' : oneLine(String(cell));
}

function cut(line: string, width: number): string {
  if (stringWidth(line) <= width) return line;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(line)) {
    if (stringWidth(`${kept}${segment}…`) > width) break;
    kept += segment;
  }
  return `${kept}…`;
}
