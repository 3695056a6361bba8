import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { recordEvents } from '../../server/events/record-events.ts';
import { cpuSeconds, residentMb } from '../child.ts';
import { isMissed, machine, type Row, tableOf, writeFigures } from '../report.ts';
import { type BenchWorld, startBenchWorld } from '../bench-world.ts';
import { measureCost } from './cost.ts';
import type { Arrived, ListenerSettings } from './listener-peer.ts';
import { type Certificates, endpointsOf, receiverCertificates } from './webhooks.ts';

// npm run bench:events -- [--listeners 1000] [--ways sse,poll,webhook,cost] [--against FOLDER] [--quick] [--write]
// Measures the time from the commit of a market event until every listener has it: by streams, by requests that wait, and
// by webhooks. `cost` compares the log's statement with a paid upload. With `--against`, streams and requests of another
// checkout on the same database are measured too. CPU times repeat on a busy machine, where latencies do not.

const { values: options } = parseArgs({
  options: {
    listeners: { type: 'string', default: '1000' },
    ways: { type: 'string', default: 'sse,poll,webhook,cost' },
    against: { type: 'string' },
    /** The folder for CPU profiles of the service. */
    profile: { type: 'string' },
    /** Sends few events, to check that the benchmark works. */
    quick: { type: 'boolean', default: false },
    /** Writes the figures into docs/benchmarks.md. */
    write: { type: 'boolean', default: false },
  },
});
const LISTENERS = Number(options.listeners);
const EVENTS = options.quick ? 5 : 30;
const COST_ROUNDS = options.quick ? 2 : 15;
const P50_MS = 300;
const P99_MS = 1_000;
const STALLED_MS = 30_000;
const PAUSE_MS = 1_000;
const NAMES = { sse: 'streams', poll: 'requests that wait', webhook: 'webhooks' };

type Way = keyof typeof NAMES;
type Service = BenchWorld['service'];
/** The listeners of one way. `arrivals` waits until each has the event. */
type Listeners = {
  expect(id: string): Promise<unknown>;
  arrivals(id: string): Promise<number[]>;
  stop(): Promise<void>;
};

async function main(): Promise<void> {
  const ways = options.ways.split(',');
  const certificates = await receiverCertificates();
  const world = await startBenchWorld({
    projects: 1_000,
    agents: LISTENERS,
    profileTo: options.profile,
    settings: certificates.settings,
  });
  try {
    const rows: Row[] = [];
    const add = (more: Row[]) => {
      rows.push(...more);
      console.log(tableOf(more).split('\n').slice(2).join('\n'));
    };
    const other = options.against ? await world.startOther(resolve(options.against)) : null;
    for (const way of ['sse', 'poll', 'webhook'] as const) {
      if (!ways.includes(way)) continue;
      add(await measure(world, world.service, way, certificates));
      if (other && way !== 'webhook') add(await measure(world, other, way, certificates));
    }
    if (ways.includes('cost')) add([await measureCost(world, COST_ROUNDS)]);
    const [version] = await world.db<{ version: string }[]>`select current_setting('server_version') as version`;
    const missed = rows.filter(isMissed).length;
    const figures = [await machine(version?.version ?? ''), tableOf(rows)].join('\n\n');
    console.log(`\n${figures}\n\n${missed === 0 ? 'Every aim is reached.' : `${missed} of the aims are missed.`}`);
    if (options.write) await writeFigures(figures, 'events');
  } finally {
    await world.stop();
    await certificates.remove();
  }
}

async function measure(world: BenchWorld, service: Service, way: Way, certificates: Certificates): Promise<Row[]> {
  const before = await residentMb(service.pid);
  const listeners = way === 'webhook' ? await endpointsOf(world, certificates) : await readers(world, service, way);
  const opened = await residentMb(service.pid);
  const cpuBefore = await cpuSeconds(service.pid);
  const latencies: number[] = [];
  for (let sent = 0; sent < EVENTS; sent += 1) {
    const id = randomUUIDv7();
    await listeners.expect(id);
    const committedAt = await announce(world, id);
    latencies.push(...(await listeners.arrivals(id)).map((time) => time - committedAt));
  }
  const cpuMs = (1000 * ((await cpuSeconds(service.pid)) - cpuBefore)) / EVENTS / LISTENERS;
  await listeners.stop();
  const name = `${LISTENERS} ${NAMES[way]}${service === world.service ? '' : ' of the other checkout'}`;
  const sorted = latencies.toSorted((a, b) => a - b);
  const quantile = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  const row = (what: string, ms: number, aimMs: number): Row => ({
    what: `${name}: ${what} from commit to receipt : ${aimMs} ms`,
    aim: { atMost: 1 },
    ratios: [ms / aimMs],
    absolute: `${ms.toFixed(0)} ms; CPU of the service ${cpuMs.toFixed(2)} ms each; memory ${before.toFixed(0)} MB, with them ${opened.toFixed(0)} MB`,
  });
  return [row('half', quantile(0.5), P50_MS), row('99 of 100', quantile(0.99), P99_MS)];
}

/** Opens a stream, or a request that waits, for each agent. */
async function readers(world: BenchWorld, { url }: Service, way: ListenerSettings['way']): Promise<Listeners> {
  const settings: ListenerSettings = { url, keys: world.agents.map(({ key }) => key), way };
  const peer = world.startPeer('events/listener-peer.ts', settings);
  await peer.ask({ kind: 'open' });
  return {
    expect: async () => {},
    async arrivals(id) {
      for (const end = performance.now() + STALLED_MS; performance.now() < end; await sleep(50)) {
        const { at } = await peer.ask<Arrived>({ kind: 'arrivals', id });
        if (at.length >= LISTENERS) return at;
      }
      throw new Error('an event did not reach every listener within half a minute');
    },
    stop: () => peer.stop(),
  };
}

/** Commits an event of the market, which every agent gets. Returns when it was committed. */
async function announce({ db }: BenchWorld, id: string): Promise<number> {
  // About one event a second, not in step with the ticks of the service. A request that waits is back by then.
  await sleep(PAUSE_MS + Math.random() * 100);
  const at = new Date();
  const data = { project_id: randomUUIDv7(), closes_at: at.toISOString() };
  const market = { publishedAt: at, visibleAt: at };
  await db.begin((tx) => recordEvents({ newId: () => id }, tx, at, [{ id, market, type: 'PROJECT.CLOSING', data }]));
  return Date.now();
}

await main();
