import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { recordEvents } from '../../server/events/record-events.ts';
import { residentMb } from '../child.ts';
import { isMissed, machine, type Row, tableOf, writeFigures } from '../report.ts';
import { type BenchWorld, startBenchWorld } from '../world.ts';
import type { Arrived, ListenerSettings } from './listener-peer.ts';

// npm run bench:events -- [--listeners 1000] [--quick] [--write]
// Measures the time from the commit of a market event until every listener has it, for streams and for requests that wait.

const { values: options } = parseArgs({
  options: {
    listeners: { type: 'string', default: '1000' },
    /** Sends few events, to check that the benchmark works. */
    quick: { type: 'boolean', default: false },
    /** Writes the figures into docs/benchmarks.md. */
    write: { type: 'boolean', default: false },
  },
});
const LISTENERS = Number(options.listeners);
const EVENTS = options.quick ? 5 : 30;
const P50_MS = 300;
const P99_MS = 1_000;
const STALLED_MS = 30_000;

async function main(): Promise<void> {
  const world = await startBenchWorld({ projects: 1_000, agents: LISTENERS, profileTo: undefined });
  try {
    const rows: Row[] = [];
    for (const way of ['sse', 'poll'] as const) rows.push(...(await measure(world, way)));
    const [version] = await world.db<{ version: string }[]>`select current_setting('server_version') as version`;
    const missed = rows.filter(isMissed).length;
    const figures = [await machine(version?.version ?? ''), tableOf(rows)].join('\n\n');
    console.log(`${figures}\n\n${missed === 0 ? 'Every aim is reached.' : `${missed} of the aims are missed.`}`);
    if (options.write) await writeFigures(figures, 'events');
  } finally {
    await world.stop();
  }
}

async function measure(world: BenchWorld, way: ListenerSettings['way']): Promise<Row[]> {
  const settings: ListenerSettings = { url: world.service.url, keys: world.agents.map(({ key }) => key), way };
  const before = await residentMb(world.service.pid);
  const peer = world.startPeer('events/listener-peer.ts', settings);
  await peer.ask({ kind: 'open' });
  const opened = await residentMb(world.service.pid);
  const latencies: number[] = [];
  for (let sent = 0; sent < EVENTS; sent += 1) {
    const { id, committedAt } = await announce(world);
    const { at } = await untilArrived((question) => peer.ask<Arrived>(question), id);
    latencies.push(...at.map((time) => time - committedAt));
  }
  await peer.stop();
  const name = way === 'sse' ? 'streams' : 'requests that wait';
  const sorted = latencies.toSorted((a, b) => a - b);
  const quantile = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  const row = (what: string, ms: number, aimMs: number): Row => ({
    what: `${LISTENERS} ${name}: ${what} from commit to receipt : ${aimMs} ms`,
    aim: { atMost: 1 },
    ratios: [ms / aimMs],
    absolute: `${ms.toFixed(0)} ms; memory ${before.toFixed(0)} MB, with open ${name} ${opened.toFixed(0)} MB`,
  });
  return [row('half', quantile(0.5), P50_MS), row('99 of 100', quantile(0.99), P99_MS)];
}

/** Commits an event of the market, which every agent gets. */
async function announce({ db }: BenchWorld): Promise<{ id: string; committedAt: number }> {
  const id = randomUUIDv7();
  const at = new Date();
  const data = { project_id: randomUUIDv7(), closes_at: at.toISOString() };
  const market = { publishedAt: at, visibleAt: at };
  await db.begin((tx) => recordEvents({ newId: () => id }, tx, at, [{ id, market, type: 'PROJECT.CLOSING', data }]));
  const committedAt = Date.now();
  // Not in step with the ticks of the service.
  await sleep(Math.random() * 100);
  return { id, committedAt };
}

async function untilArrived(ask: (question: object) => Promise<Arrived>, id: string): Promise<Arrived> {
  for (const end = performance.now() + STALLED_MS; performance.now() < end; await sleep(50)) {
    const arrived = await ask({ kind: 'arrivals', id });
    if (arrived.at.length >= LISTENERS) return arrived;
  }
  throw new Error('an event did not reach every listener within half a minute');
}

await main();
