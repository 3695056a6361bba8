import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { debianPostgres } from '../../test/support/servers/postgres-cluster.ts';
import { type Child, startChild } from '../child.ts';
import { machine, writeFigures } from '../report.ts';
import { median } from '../statistics.ts';
import { pay, type Rate, readyPayments, searches } from './load.ts';
import { type Cores, withCores } from './processors.ts';
import { type ScaleWorld, startScaleWorld } from './scale-world.ts';

// npm run bench:scale -- [--processes 1,2,4] [--replicas 0,1,2] [--rounds 3] [--quick] [--write]
// Searches and paid uploads per second of several API processes on one database with streaming replicas, and which part of the
// machine bounds them. Needs Debian's PostgreSQL, and Linux.

const { values: options } = parseArgs({
  options: {
    processes: { type: 'string', default: '1,2,4' },
    replicas: { type: 'string', default: '0,1,2' },
    rounds: { type: 'string', default: '3' },
    /** Few projects, one short round: to check that the benchmark works. */
    quick: { type: 'boolean', default: false },
    /** Writes the table into docs/benchmarks.md. */
    write: { type: 'boolean', default: false },
  },
});
const { quick } = options;
const numbers = (text: string) => text.split(',').map(Number);
const [processCounts, replicaCounts] = [numbers(options.processes), numbers(options.replicas)];
const ROUNDS = quick ? 1 : Number(options.rounds);
const SEARCH_MS = quick ? 1_500 : 5_000;
const PAYMENTS = quick ? 32 : 320;
/** A machine with less than this share of its cores idle has no more to give. */
const FULL = 0.1;

type Sample = Rate & { cores: Cores };
type Case = { processes: number; replicas: number; searches: Sample[]; payments: Sample[] };

async function main(): Promise<void> {
  const bin = await debianPostgres();
  if (bin === null) throw new Error('bench:scale needs the PostgreSQL of Debian: apt-get install postgresql');
  const startedAt = performance.now();
  const world = await startScaleWorld(bin, {
    projects: quick ? 5_000 : 100_000,
    agents: quick ? 200 : 2_000,
    replicas: Math.max(...replicaCounts),
  });
  const generators = Array.from({ length: Math.max(...processCounts) }, () => startChild('load-generator.ts', {}));
  try {
    const cases: Case[] = processCounts.flatMap((processes) =>
      replicaCounts.map((replicas) => ({ processes, replicas, searches: [], payments: [] })),
    );
    for (let round = 0; round < ROUNDS; round += 1)
      // Every other round runs in reverse order, because the machine changes with time.
      for (const each of round % 2 === 0 ? cases : cases.toReversed()) await measure(world, generators, each, round);
    const [version] = await world.db<[{ version: string }]>`select current_setting('server_version') as version`;
    const figures = `${await machine(version.version)}\n\n${tableOf(cases)}`;
    console.log(`${figures}\n\nAfter ${Math.round((performance.now() - startedAt) / 1000)} s.`);
    if (options.write) await writeFigures(figures, 'scale');
  } finally {
    await Promise.all(generators.map((each) => each.stop()));
    await world.stop();
  }
}

async function measure(world: ScaleWorld, generators: Child[], to: Case, round: number): Promise<void> {
  const fleet = await world.startFleet(to.processes, to.replicas);
  try {
    const search = (from: number, durationMs: number) => searches(world, fleet, generators, { durationMs, from });
    // Compilers and caches warm up.
    await search(0, SEARCH_MS / 2);
    await pay(await readyPayments(world, fleet, PAYMENTS / 4));
    const found = await withCores(world, fleet, () => search(1_000 + round * 3_000, SEARCH_MS));
    to.searches.push({ ...found.result, cores: found.cores });
    const ready = await readyPayments(world, fleet, PAYMENTS);
    const paid = await withCores(world, fleet, () => pay(ready));
    to.payments.push({ ...paid.result, cores: paid.cores });
    console.log(
      `${to.processes} processes, ${to.replicas} replicas: ${found.result.perSecond.toFixed(0)} searches/s, ${paid.result.perSecond.toFixed(1)} paid uploads/s`,
    );
  } finally {
    await fleet.stop();
  }
}

const HEAD = [
  'load',
  'processes',
  'replicas',
  'per second',
  'refused',
  'per core of the service',
  'per busy core',
  'cores used',
  'bound',
];

function tableOf(cases: Case[]): string {
  const rows = (['searches', 'payments'] as const).flatMap((load) =>
    cases.map((each) => rowOf(load === 'searches' ? 'searches' : 'paid uploads', each, each[load])),
  );
  return [`| ${HEAD.join(' | ')} |`, `|${HEAD.map(() => '---').join('|')}|`, ...rows].join('\n');
}

function rowOf(load: string, { processes, replicas }: Case, samples: Sample[]): string {
  const of = (value: (sample: Sample) => number) => median(samples.map(value));
  const cores = (part: keyof Cores) => of((sample) => sample.cores[part]);
  const perCore = of(({ perSecond, cores: { service } }) => perSecond / service);
  const perBusy = of(({ perSecond, cores: { idle } }) => perSecond / (availableParallelism() - idle));
  const parts = (['service', 'primary', 'replicas', 'others', 'idle'] as const).map(
    (part) => `${part} ${cores(part).toFixed(2)}`,
  );
  const shown = (value: number) => value.toFixed(value < 100 ? 1 : 0);
  const cells = [
    load,
    processes,
    replicas,
    shown(of(({ perSecond }) => perSecond)),
    of(({ refused }) => refused),
    shown(perCore),
    shown(perBusy),
    parts.join(', '),
    boundOf(cores, processes),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Names what bounds a load: the processors with the part that used most of them, one process, or waiting. */
function boundOf(cores: (part: keyof Cores) => number, processes: number): string {
  if (cores('idle') < FULL * availableParallelism()) {
    const [most] = (['service', 'primary', 'replicas', 'others'] as const).toSorted((a, b) => cores(b) - cores(a));
    return `the processors, most of all ${most}`;
  }
  return cores('service') / processes > 1 - FULL
    ? 'the one thread of a process'
    : 'waiting: for the disk, the chain, or locks';
}

await main();
