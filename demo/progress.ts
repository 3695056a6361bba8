import type { Artist } from './cast.ts';

export const steps = [
  'wait',
  'register',
  'look around',
  'draw',
  'reserve',
  'pay',
  'upload',
  'confirm',
  'done',
] as const;
export type Step = (typeof steps)[number];

export type Progress = {
  report(artist: Artist, step: Step): void;
  stop(): void;
};

type Line = { artist: Artist; step: Step; startedAt: number; endedAt: number | null };

const REDRAW_MS = 80;

/** Shows a table that redraws itself on a terminal. Other outputs get one line per step. */
export function showProgress(artists: Artist[], out: NodeJS.WriteStream): Progress {
  const lines = artists.map((artist): Line => ({ artist, step: 'wait', startedAt: performance.now(), endedAt: null }));
  return out.isTTY ? redrawn(lines, out) : written(lines, out);
}

function advance(lines: Line[], artist: Artist, step: Step): Line | undefined {
  const line = lines.find((candidate) => candidate.artist === artist);
  if (!line) return undefined;
  if (line.step === 'wait') line.startedAt = performance.now();
  line.step = step;
  if (step === 'done') line.endedAt = performance.now();
  return line;
}

function seconds(line: Line): string {
  return line.step === 'wait' ? '' : `${(((line.endedAt ?? performance.now()) - line.startedAt) / 1000).toFixed(1)} s`;
}

function written(lines: Line[], out: NodeJS.WriteStream): Progress {
  return {
    report(artist, step) {
      const line = advance(lines, artist, step);
      if (line) out.write(`  ${seconds(line).padStart(6)}  ${artist.name.padEnd(12)} ${step}\n`);
    },
    stop() {},
  };
}

function redrawn(lines: Line[], out: NodeJS.WriteStream): Progress {
  let drawn = 0;
  const draw = () => {
    const rows = lines.map((line) => row(line, out.columns || 80));
    out.write(`${drawn ? `\u001b[${drawn}A` : ''}${rows.map((text) => `\u001b[2K${text}\n`).join('')}`);
    drawn = rows.length;
  };
  out.write('\u001b[?25l');
  draw();
  const timer = setInterval(draw, REDRAW_MS);
  return {
    report: (artist, step) => void advance(lines, artist, step),
    stop() {
      clearInterval(timer);
      draw();
      out.write('\u001b[?25h');
    },
  };
}

const SHOWN = steps.length - 1;

function row(line: Line, columns: number): string {
  const reached = steps.indexOf(line.step);
  const [color, bold, dim, reset] = [
    line.step === 'done' ? '\u001b[32m' : '\u001b[33m',
    '\u001b[1m',
    '\u001b[2m',
    '\u001b[0m',
  ];
  const bar = `${color}${'━'.repeat(reached * 2)}${reset}${dim}${'─'.repeat((SHOWN - reached) * 2)}${reset}`;
  const title = columns >= 78 ? `${dim}${line.artist.title.padEnd(26)}${reset} ` : '';
  return `  ${bold}${line.artist.name.padEnd(12)}${reset} ${title}${bar} ${line.step.padEnd(11)} ${seconds(line).padStart(6)}`;
}
