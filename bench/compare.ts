import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { cpuSeconds } from './child.ts';
import type { Load, LoadResult } from './load-generator.ts';
import { DIFFERENT, differentSearch } from './reads.ts';
import { median, ratios } from './statistics.ts';
import { getRequest, READERS } from './tools.ts';
import { type BenchWorld, startBenchWorld } from './bench-world.ts';

// Compares other checkouts with this one, to learn what a change costs or gains:
//   node bench/compare.ts ../before [FOLDER …] [--loads cached,uncached] [--rounds 40] [--seconds 1]
// All services use one database and take turns within each round. CPU time per request repeats on a busy machine, where
// requests per second do not. A ratio above 1 means that the other checkout needs more CPU time.

const LOADS = {
  cached: () => ['/agents/projects?status=open&limit=20'],
  uncached: (world: BenchWorld) =>
    Array.from({ length: DIFFERENT }, (_, index) => differentSearch(index, world.projects).path),
  market: () => ['/projects?limit=24'],
  specializations: () => ['/agents/specializations'],
  recommended: () => ['/agents/projects/recommended'],
} satisfies Record<string, (world: BenchWorld) => string[]>;
type LoadName = keyof typeof LOADS;

const CONNECTIONS = 32;
const WARM_UP_ROUNDS = 2;

const { values: options, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    loads: { type: 'string', default: 'cached,uncached' },
    rounds: { type: 'string', default: '40' },
    seconds: { type: 'string', default: '1' },
    projects: { type: 'string', default: '20000' },
  },
});

/** CPU time per request in microseconds, one value per round. */
type Side = { name: string; service: BenchWorld['service']; from: number; own: number[]; database: number[] };

async function main(): Promise<void> {
  const world = await startBenchWorld({ projects: Number(options.projects), agents: 1_000, profileTo: undefined });
  try {
    const services = [{ name: 'this checkout', service: world.service }];
    for (const folder of folders) services.push({ name: folder, service: await world.startOther(resolve(folder)) });
    const generator = world.startPeer('load-generator.ts', {});
    const ask = (load: Load) => generator.ask<LoadResult>(load);
    console.log(
      '| load | checkout | CPU of the service: ratio (quartiles), µs | fastest quarter | CPU of the database: ratio, µs |',
    );
    console.log('|---|---|---|---|---|');
    for (const name of options.loads.split(',')) {
      const sides = services.map((service): Side => ({ ...service, from: 0, own: [], database: [] }));
      const paths = LOADS[name as LoadName](world);
      const count = Math.max(paths.length, READERS);
      const requests = Array.from({ length: count }, (_, index) =>
        getRequest(world, paths[index % paths.length] ?? '', world.agents[index % READERS]?.key ?? ''),
      );
      await measure(world, sides, requests, ask);
      for (const line of linesOf(name, sides)) console.log(line);
    }
  } finally {
    await world.stop();
  }
}

async function measure(
  world: BenchWorld,
  sides: Side[],
  requests: string[],
  ask: (load: Load) => Promise<LoadResult>,
): Promise<void> {
  for (let round = -WARM_UP_ROUNDS; round < Number(options.rounds); round += 1) {
    // Each round starts with another side, so that no side always follows the same one.
    const shift = (round + WARM_UP_ROUNDS) % sides.length;
    for (const side of [...sides.slice(shift), ...sides.slice(0, shift)]) {
      const { port, url } = side.service;
      const before = [await cpuMicros(url), await databaseMicros(world)] as const;
      const load = {
        port,
        connections: CONNECTIONS,
        durationMs: Number(options.seconds) * 1000,
        requests,
        status: 200,
      };
      const result = await ask({ ...load, from: side.from });
      side.from = result.next;
      if (round < 0) continue;
      side.own.push(((await cpuMicros(url)) - before[0]) / result.requests);
      side.database.push(((await databaseMicros(world)) - before[1]) / result.requests);
    }
  }
}

/**
 * Returns the CPU time of the service in microseconds, as the service reports it. /proc/PID/stat counts in steps of 10
 * ms.
 */
async function cpuMicros(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const seconds = /^process_cpu_seconds_total (\S+)/m.exec(text)?.[1];
  if (seconds === undefined) throw new Error('no process_cpu_seconds_total in /metrics');
  return Number(seconds) * 1e6;
}

/** Sums the CPU time of the database's backends. Only backends of the service under load work at that moment. */
async function databaseMicros({ db }: BenchWorld): Promise<number> {
  const backends = await db<{ pid: number }[]>`select pid from pg_stat_activity where backend_type = 'client backend'`;
  const times = await Promise.all(backends.map(({ pid }) => cpuSeconds(pid)));
  return 1e6 * times.reduce((sum, seconds) => sum + (Number.isNaN(seconds) ? 0 : seconds), 0);
}

/** Returns the mean of the fastest quarter of the rounds. Other work on the machine disturbs these rounds least. */
function fastestQuarter(values: readonly number[]): number {
  const fastest = values.toSorted((a, b) => a - b).slice(0, Math.max(1, Math.floor(values.length / 4)));
  return fastest.reduce((sum, value) => sum + value, 0) / fastest.length;
}

function linesOf(load: string, [base, ...others]: Side[]): string[] {
  if (!base) return [];
  const first = `| ${load} | ${base.name} | 1, ${median(base.own).toFixed(0)} | 1 | 1, ${median(base.database).toFixed(0)} |`;
  const rest = others.map((side) => {
    const own = ratios(side.own, base.own).toSorted((a, b) => a - b);
    const quartiles = [0.25, 0.75].map((part) => own[Math.floor(part * own.length)]?.toFixed(2)).join('–');
    const fastest = (fastestQuarter(side.own) / fastestQuarter(base.own)).toFixed(2);
    const database = median(ratios(side.database, base.database)).toFixed(2);
    return `| ${load} | ${side.name} | ${median(own).toFixed(2)} (${quartiles}), ${median(side.own).toFixed(0)} | ${fastest} | ${database}, ${median(side.database).toFixed(0)} |`;
  });
  return [first, ...rest];
}

await main();
