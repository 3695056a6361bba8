import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type ConsoleWorld, startConsoleWorld } from '../test/support/console/console-world.ts';
import { createPool } from '../server/db/pool.ts';
import {
  ENTRIES,
  firstPaint,
  type LargeGallery,
  scrollGallery,
  seedPages,
  watchedPages,
} from '../test/support/console/console-first-paint.ts';
import { isMissed, machine, type Row, tableOf, writeFigures } from './report.ts';

// npm run bench:console [-- --write]
// Measures waiting times in the console, in the system's Chromium on the same machine. It measures the first paint of
// public pages on a phone viewport, with a processor slowed down by 4, and the frames of a large gallery.

const SLOWDOWN = 4;
const RUNS = 7;
const LCP_MS = 1_000;
const FRAME_MS = 50;
/** About one screen per second. */
const PIXELS_PER_FRAME = 24;

const consoleWorld = await startConsoleWorld({
  env: { LIMIT_POSTER_PER_MINUTE: '100000', LIMIT_PUBLIC_READS_PER_MINUTE: '100000' },
});

async function firstPaintRow(at: ConsoleWorld, name: string, path: string): Promise<Row> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) times.push((await firstPaint(at, path, SLOWDOWN)).lcpMs);
  return {
    what: `${name}: largest contentful paint, a processor ${SLOWDOWN} times as slow : ${LCP_MS} ms`,
    aim: { atMost: 1 },
    ratios: times.map((ms) => ms / LCP_MS),
    absolute: `${times.map(Math.round).join(', ')} ms`,
  };
}

async function galleryRow(at: ConsoleWorld, name: string, gallery: LargeGallery): Promise<Row> {
  const longest: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { frames } = await scrollGallery(at, gallery, PIXELS_PER_FRAME);
    longest.push(Math.max(...frames));
  }
  return {
    what: `${name} of ${ENTRIES} entries, scrolled to its end: the longest frame : ${FRAME_MS} ms`,
    aim: { atMost: 1 },
    ratios: longest.map((ms) => ms / FRAME_MS),
    absolute: `${longest.map(Math.round).join(', ')} ms`,
  };
}

async function databaseVersion({ world }: ConsoleWorld): Promise<string> {
  const db = createPool({ url: world.databaseUrl, connections: 1 });
  const [row] = await db<[{ version: string }]>`select current_setting('server_version') as version`;
  await db.end();
  return row.version;
}

void it('waiting times in the console', async () => {
  assert.ok(consoleWorld, 'there is no Chromium: CHROMIUM_PATH says where');
  const pages = await seedPages(consoleWorld);
  const rows: Row[] = [];
  for (const name of watchedPages) rows.push(await firstPaintRow(consoleWorld, name, pages[name]));
  rows.push(await galleryRow(consoleWorld, 'the judging grid', pages.judged));
  rows.push(await galleryRow(consoleWorld, 'a gallery', await pages.completeLarge()));
  const figures = [await machine(await databaseVersion(consoleWorld)), tableOf(rows)].join('\n\n');
  console.log(`\n${figures}\n`);
  if (process.argv.includes('--write')) await writeFigures(figures, 'console');
  assert.deepEqual(
    rows.filter(isMissed).map(({ what }) => what),
    [],
    'aims that are missed',
  );
});
