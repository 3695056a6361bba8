import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CHROMIUM } from '../test/support/console/console-world.ts';
import { residentMb } from './child.ts';
import { measurePages } from './pages.ts';
import { measurePayments } from './payments.ts';
import { type Measured, measureCachedSearch, measureIntents, measureUncachedSearch } from './reads.ts';
import { isMissed, machine, type Row, tableOf, writeFigures } from './report.ts';
import { compareSizes } from './search-sizes.ts';
import { median, ratios, type Values } from './statistics.ts';
import type { Tools } from './tools.ts';
import { type BenchWorld, DATABASE_CONNECTIONS, startBenchWorld } from './bench-world.ts';

// npm run bench -- [--quick] [--write] [--only cached,uncached,intents,payments,sizes,pages] [--profile FOLDER]
// [--beside FOLDER]
// Every figure is a ratio of two alternating measurements of one run, because machines and their load differ.

const STAGES = ['cached', 'uncached', 'intents', 'payments', 'sizes', 'pages'] as const;
type Stage = (typeof STAGES)[number];
/** These bring what they measure. */
type OwnStage = 'sizes' | 'pages';
const OWN: readonly string[] = ['sizes', 'pages'] satisfies OwnStage[];

const { values: options } = parseArgs({
  options: {
    /** Runs fewer and shorter rounds on smaller tables, to check that the benchmark works. */
    quick: { type: 'boolean', default: false },
    /** Writes the figures into docs/benchmarks.md. */
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
    /** Makes the service write a CPU profile to this folder. */
    profile: { type: 'string' },
    /** Another checkout, with its packages, whose service gets the same searches: what a change costs or brings. */
    beside: { type: 'string' },
  },
});
const { quick } = options;
const rounds = quick ? 3 : 7;

async function main(): Promise<void> {
  const stages = stagesOf(options.only);
  const rows: Row[] = [];
  const notes: string[] = [];
  if (stages.some((stage) => !OWN.includes(stage))) await measureService(stages, rows, notes);
  if (stages.includes('sizes')) rows.push(...(await measureSizes()));
  if (stages.includes('pages')) rows.push(...(await measurePages(rounds)));
  const missed = rows.filter(isMissed).length;
  const figures = [...notes, tableOf(rows)].join('\n\n');
  console.log(`\n${figures}\n\n${missed === 0 ? 'Every aim is reached.' : `${missed} of the aims are missed.`}`);
  if (options.write) await writeFigures(figures);
}

function stagesOf(only: string | undefined): Stage[] {
  // Pages are measured where there is a browser.
  if (only === undefined) return STAGES.filter((stage) => stage !== 'pages' || existsSync(CHROMIUM));
  return only.split(',').map((name) => {
    const stage = STAGES.find((known) => known === name);
    if (!stage) throw new Error(`--only takes ${STAGES.join(', ')}`);
    return stage;
  });
}

async function measureService(stages: Stage[], rows: Row[], notes: string[]): Promise<void> {
  const startedAt = performance.now();
  const world = await startBenchWorld({
    projects: quick ? 20_000 : 100_000,
    agents: 10_000,
    profileTo: options.profile,
    beside: options.beside,
  });
  try {
    console.log(
      `${world.projects} projects and ${world.agents.length} agents in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
    );
    const tools: Tools = {
      generator: world.startPeer('load-generator.ts', {}),
      bareHttp: world.startPeer('peers/http-peer.ts', {}),
      statements: world.startPeer('peers/statement-peer.ts', {
        url: world.databaseUrl,
        connections: DATABASE_CONNECTIONS,
      }),
      rounds,
      durationMs: quick ? 1_500 : 3_000,
      generatorBusy: [],
      cpuMicros: [],
    };
    const memory = [`${(await residentMb(world.service.pid)).toFixed(0)} after the start`];
    for (const stage of stages) {
      if (stage === 'sizes' || stage === 'pages') continue;
      rows.push(...(await rowsOf(stage, world, tools)));
      memory.push(`${(await residentMb(world.service.pid)).toFixed(0)} after ${stage}`);
      console.log(tableOf(rows.slice(-3)).split('\n').slice(2).join('\n'));
    }
    const [version] = await world.db<{ version: string }[]>`select current_setting('server_version') as version`;
    notes.push(machine(version?.version ?? ''));
    notes.push(`The load generator took at most ${Math.round(Math.max(0, ...tools.generatorBusy) * 100)} % of a core.`);
    notes.push(`Resident memory of the service in MB: ${memory.join(', ')}.`);
  } finally {
    await world.stop();
  }
}

async function rowsOf(stage: Exclude<Stage, OwnStage>, world: BenchWorld, tools: Tools): Promise<Row[]> {
  switch (stage) {
    case 'cached':
      return perSecond('cached search, a page of 20', await measureCachedSearch(world, tools), {
        bareHttp: { atLeast: 0.5 },
      });
    case 'uncached':
      return perSecond('uncached search, a page of 20', await measureUncachedSearch(world, tools), {
        statements: { atLeast: 0.6 },
      });
    case 'intents':
      return perSecond('intent', await measureIntents(world, tools), { statements: { atLeast: 0.4 } });
    case 'payments': {
      const { one, eight } = await measurePayments(world, tools.rounds);
      return [
        paidRow('a paid upload request, one wallet', one, 1.2),
        paidRow('a paid upload request, eight wallets at once', eight, 1.3),
      ];
    }
  }
}

const PEERS: Record<string, string> = {
  bareHttp: 'bare node:http, same bytes',
  statements: 'the same statements raw',
  other: 'the service of --beside',
};

function perSecond(what: string, { values, answerBytes }: Measured, aims: Record<string, Row['aim']>): Row[] {
  const size = answerBytes > 0 ? `, ${(answerBytes / 1024).toFixed(1)} KB` : '';
  const { service = [], ...peers } = values;
  return Object.entries(peers).map(([peer, theirs]) => ({
    what: `${what}${size} : ${PEERS[peer]}`,
    aim: aims[peer] ?? null,
    ratios: ratios(service, theirs),
    absolute: `${Math.round(median(service))}/s : ${Math.round(median(theirs))}/s`,
  }));
}

function paidRow(what: string, { service = [], bareX402 = [] }: Values, atMost: number): Row {
  return {
    what: `${what} : bare @x402/hono with the packages' facilitator`,
    aim: { atMost },
    ratios: ratios(service, bareX402),
    absolute: `${median(service).toFixed(1)} ms : ${median(bareX402).toFixed(1)} ms`,
  };
}

async function measureSizes(): Promise<Row[]> {
  const [small, large] = quick ? [10_000, 100_000] : [10_000, 1_000_000];
  const comparisons = await compareSizes({ small, large });
  const range = (values: number[]) => `${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`;
  return comparisons.map(({ name, cases }) => ({
    what: `search at ${large.toLocaleString('en')} projects : ${small.toLocaleString('en')}, ${name}`,
    aim: { atMost: 3 },
    each: true,
    ratios: cases.map((each) => each.largeMs / each.smallMs),
    absolute: `${range(cases.map((each) => each.largeMs))} ms : ${range(cases.map((each) => each.smallMs))} ms`,
  }));
}

await main();
