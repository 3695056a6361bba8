// npm run seed [-- --url http://127.0.0.1:4020]: fills a development service with projects in every state.
// Without a running service it starts one on the data folder and stops it again: the next start shows the market.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DemoError, sentenceOf } from '../demo/client.ts';
import { type SeededMarket, seedMarket, type Waits } from '../demo/seed.ts';
import { answers, startServerOn } from '../demo/server-process.ts';

const DEFAULT_URL = `http://127.0.0.1:${process.env['PORT'] || 4020}`;
/** A development start has no waiting times, so it would hold no result. */
const FIRST_WAITS: Waits = { CLOSE_NOTICE_MINUTES: '0', AUTO_PAYOUT_HOLD_HOURS: '72' };
const DATA_DIR = resolve(import.meta.dirname, '..', process.env['DATA_DIR'] || '.concours');

function options(): { url: string | undefined; longerSidePx: number } {
  try {
    const { values } = parseArgs({ options: { url: { type: 'string' }, 'longer-side': { type: 'string' } } });
    return {
      url: (values.url ?? process.env['SERVER_URL'])?.replace(/\/+$/, '') || undefined,
      longerSidePx: Number(values['longer-side'] ?? 640),
    };
  } catch {
    throw new DemoError('Usage: npm run seed [-- --url http://127.0.0.1:4020] [--longer-side PIXELS]');
  }
}

type FoundService = { url: string; restart: ((waits: Waits) => Promise<void>) | null; stop(): Promise<void> };

async function findService(named: string | undefined, signal: AbortSignal): Promise<FoundService> {
  const url = named ?? DEFAULT_URL;
  if (await answers(url)) {
    console.log(`Seeding the service at ${url} …`);
    return { url, restart: null, stop: async () => {} };
  }
  if (named) throw new DemoError(`No service answers at ${url}. Start it, or leave out the address.`);
  console.log(`No service answers at ${url}. Starting one on ${DATA_DIR} …`);
  const start = (waits: Waits, port?: number) => startServerOn(DATA_DIR, { ...process.env, ...waits }, signal, port);
  let running = await start(FIRST_WAITS);
  const { url: started } = running;
  return {
    url: started,
    async restart(waits) {
      await running.stop();
      running = await start(waits, Number(new URL(started).port));
    },
    stop: () => running.stop(),
  };
}

/** Returns OPERATOR_KEY, else the key that the development start generated in its data folder. */
async function operatorKey(): Promise<string> {
  if (process.env['OPERATOR_KEY']) return process.env['OPERATOR_KEY'];
  const file = join(DATA_DIR, 'secrets.json');
  try {
    return (JSON.parse(await readFile(file, 'utf8')) as { operatorKey: string }).operatorKey;
  } catch (error) {
    throw new DemoError(`The operator's key could not be read from ${file}. Set OPERATOR_KEY.`, { cause: error });
  }
}

function report({ projects, posters, agents, missing }: SeededMarket, url: string, operator: string): string {
  const rows = (cells: string[][]) => {
    const widths = cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
    return cells.map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd());
  };
  return [
    '\nProjects',
    ...rows(projects.map(({ title, id, state }) => [title, id, state])),
    '\nKeys',
    ...rows([
      ['operator', '', operator],
      ...posters.map(({ name, key }) => ['poster', name, key]),
      ...agents.map(({ name, key, state }) => ['agent', `${name} (${state})`, key]),
    ]),
    ...missing.map((sentence) => `\n${sentence}`),
    `\nConsole: ${url}`,
  ].join('\n');
}

async function main(signal: AbortSignal): Promise<void> {
  const { url: named, longerSidePx } = options();
  const service = await findService(named, signal);
  try {
    const operator = await operatorKey();
    const { url, restart } = service;
    const market = await seedMarket({ url, operatorKey: operator, longerSidePx, restart, signal });
    console.log(report(market, service.url, operator));
  } finally {
    await service.stop();
  }
}

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => interrupted.abort());
try {
  await main(interrupted.signal);
} catch (error) {
  process.exitCode = interrupted.signal.aborted ? 130 : 1;
  if (interrupted.signal.aborted) console.error('Interrupted. What was created so far stays.');
  else console.error(sentenceOf(error));
}
