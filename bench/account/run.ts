import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import pino from 'pino';
import { checkStats } from '../../server/agents/rankings/check-stats.ts';
import { findNewestStatsCheck } from '../../server/agents/rankings/check-stats-queries.ts';
import { accountPlans } from './plans.ts';
import { type AccountSide, type AccountWorld, seconds, startAccountWorld } from './account-world.ts';
import { isMissed, machine, type Row, tableOf, writeFigures } from '../report.ts';
import type { SeededAgent } from '../seed.ts';
import { median, ratios } from '../statistics.ts';

// npm run bench:account -- [--agents 1000000] [--quick] [--write]
// Measures an agent's reads of its own account over HTTP. It compares 1,000,000 agents and 10,000,000 submissions with
// 10,000 agents and 100,000 submissions.

const { values: options } = parseArgs({
  options: {
    agents: { type: 'string' },
    /** Runs few agents and short rounds, to check that the benchmark works. */
    quick: { type: 'boolean', default: false },
    /** Writes the figures and plans into docs/benchmarks.md. */
    write: { type: 'boolean', default: false },
  },
});
const { quick } = options;
const sizes = {
  small: { agents: quick ? 1_000 : 10_000, heavyEntries: quick ? 1_000 : 10_000 },
  large: { agents: Number(options.agents ?? (quick ? 20_000 : 1_000_000)), heavyEntries: quick ? 1_000 : 10_000 },
  readers: quick ? 100 : 500,
};
const ROUNDS = quick ? 3 : 5;
const AIM = { atMost: 1.5 };

const reads: [name: string, path: string][] = [
  ['profile', '/agents/me'],
  ['history', '/agents/me/history'],
  ['history, a category and half a year', `/agents/me/history?category=Art&dateFrom=${daysAgo(180)}`],
  ['analytics, winRate of 30 days', '/agents/me/analytics?metric=winRate&timeframe=30d'],
  ['analytics, earnings of all time', '/agents/me/analytics?metric=earnings&timeframe=all'],
  ['analytics, categories of a year', '/agents/me/analytics?metric=categoryBreakdown&timeframe=365d'],
  ['leaderboard', '/leaderboard'],
];

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

const connections = new Agent({ keepAlive: true, maxSockets: 1 });

async function main(): Promise<void> {
  const startedAt = performance.now();
  const world = await startAccountWorld(sizes);
  try {
    const rows: Row[] = [];
    for (const [name, path] of reads) rows.push(await compare(world, name, path));
    for (const [name, path] of reads.slice(0, -1)) rows.push(await compareHeavy(world, name, path));
    const { db, databaseUrl, readers } = world.large;
    const [version] = await db<[{ version: string }]>`select current_setting('server_version') as version`;
    const missed = rows.filter(isMissed).length;
    const figures = [await machine(version.version), tableOf(rows)].join('\n\n');
    console.log(`${figures}\n\n${missed === 0 ? 'Every aim is reached.' : `${missed} of the aims are missed.`}`);
    const plans = await accountPlans(databaseUrl, readers[Math.floor(readers.length / 2)]!.id);
    if (options.write) await writeFigures(`${figures}\n\nThe plans on the large side:\n\n${plans}`, 'account');
    else console.log(`\n${plans}`);
    for (const side of [world.small, world.large]) await check(side);
    console.log(`After ${seconds(startedAt)} s.`);
  } finally {
    connections.destroy();
    await world.stop();
  }
}

/** Runs and times the nightly check. It proves that the loaded rows are equal to what events would have stored. */
async function check({ db, agents }: AccountSide): Promise<void> {
  const startedAt = performance.now();
  const deps = { db, clock: { now: () => new Date() }, log: pino({ level: 'error' }, pino.destination(2)) };
  await checkStats(deps, new AbortController().signal);
  const mismatches = (await findNewestStatsCheck(db))?.mismatches;
  console.log(
    `The check of the figures of ${thousands(agents)} agents: ${mismatches} mismatches in ${seconds(startedAt)} s.`,
  );
  if (mismatches !== 0) throw new Error('what was loaded is not what events would have kept');
}

/**
 * Measures agents with ten entries, one request at a time, alternating between both sides. Returns the p50 of each
 * round.
 */
async function compare({ small, large }: AccountWorld, name: string, path: string): Promise<Row> {
  const p50: Record<'small' | 'large', number[]> = { small: [], large: [] };
  // The first round warms up compilers, plans, and caches.
  for (let round = -1; round < ROUNDS; round += 1) {
    const times: Record<'small' | 'large', number[]> = { small: [], large: [] };
    for (let index = 0; index < sizes.readers; index += 1) {
      const turns = [['small', small] as const, ['large', large] as const];
      for (const [key, side] of (index + round) % 2 === 0 ? turns : turns.toReversed())
        times[key].push(await timed(side, path, side.readers[index]!));
    }
    if (round < 0) continue;
    p50.small.push(median(times.small));
    p50.large.push(median(times.large));
  }
  return {
    what: `${name}: ${thousands(large.agents)} agents : ${thousands(small.agents)}`,
    aim: AIM,
    ratios: ratios(p50.large, p50.small),
    absolute: `${ms(median(p50.large))} : ${ms(median(p50.small))}`,
  };
}

/** Compares the agent with many entries to agents with ten, at the large size. It shows the cost of a long history. */
async function compareHeavy({ large }: AccountWorld, name: string, path: string): Promise<Row> {
  const [heavy, usual]: [number[], number[]] = [[], []];
  for (let round = -1; round < ROUNDS; round += 1) {
    const times: [number[], number[]] = [[], []];
    for (let index = 0; index < 20; index += 1) {
      times[0].push(await timed(large, path, large.heavy));
      times[1].push(await timed(large, path, large.readers[index]!));
    }
    if (round < 0) continue;
    heavy.push(median(times[0]));
    usual.push(median(times[1]));
  }
  return {
    what: `${name}: ${thousands(large.heavyEntries)} entries of one agent : 10`,
    aim: null,
    ratios: ratios(heavy, usual),
    absolute: `${ms(median(heavy))} : ${ms(median(usual))}`,
  };
}

function timed({ port }: AccountSide, path: string, { key }: SeededAgent): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const headers = { authorization: `Bearer ${key}` };
    const asked = request(
      { port, host: '127.0.0.1', path: `/api/v1${path}`, headers, agent: connections },
      (answer) => {
        answer.resume();
        answer.once('end', () => {
          if (answer.statusCode === 200) resolve(performance.now() - startedAt);
          else reject(new Error(`${path}: ${answer.statusCode}`));
        });
      },
    );
    asked.once('error', reject);
    asked.end();
  });
}

function thousands(count: number): string {
  return count.toLocaleString('en');
}

function ms(value: number): string {
  return `${value.toFixed(2)} ms`;
}

await main();
