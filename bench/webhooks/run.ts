import { parseArgs } from 'node:util';
import { isMissed, machine, type Row, tableOf, writeFigures } from '../report.ts';
import { compareClients } from './client.ts';
import { type FanOutOptions, measureFanOut } from './fan-out.ts';
import { measureKills } from './kills.ts';
import { measureSearches } from './search.ts';
import { measureTarpits } from './tarpits.ts';
import { startWebhookWorld, type WebhookWorld } from './webhooks-world.ts';

// npm run bench:webhooks -- [--subscribers 100000] [--quick] [--write]
// [--only new,reused,search,two,tarpits,kills,client] [--profile FOLDER]
// Measures the sender as `npm start -- --role=worker` runs it, with receivers in other processes on the same machine.

const STAGES = ['new', 'reused', 'search', 'two', 'tarpits', 'kills', 'client'] as const;
type Stage = (typeof STAGES)[number];

const { values: options } = parseArgs({
  options: {
    subscribers: { type: 'string' },
    /** Runs few subscribers and short rounds, to check that the benchmark works. */
    quick: { type: 'boolean', default: false },
    /** Writes the results into docs/benchmarks.md. */
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
    /** The folder for CPU profiles of the service's processes. */
    profile: { type: 'string' },
  },
});
const { quick } = options;
const subscribers = Number(options.subscribers ?? (quick ? 4_000 : 100_000));
const RECEIVERS = 2;

const fanOut: Omit<FanOutOptions, 'kind' | 'senders'> = {
  subscribers,
  bare: quick ? { new: 1_000, reused: 10_000 } : { new: 4_000, reused: 50_000 },
};

const stages: Record<Stage, (world: WebhookWorld) => Promise<Row[]>> = {
  new: (world) => measureFanOut(world, { ...fanOut, kind: 'new', senders: 1 }),
  reused: (world) => measureFanOut(world, { ...fanOut, kind: 'reused', senders: 1 }),
  search: async (world) => [
    await measureSearches(world, { kind: 'new', subscribers, quick }),
    await measureSearches(world, { kind: 'reused', subscribers, quick }),
  ],
  two: async (world) => [
    ...(await measureFanOut(world, { ...fanOut, kind: 'new', senders: 2 })),
    ...(await measureFanOut(world, { ...fanOut, kind: 'reused', senders: 2 })),
  ],
  tarpits: (world) => measureTarpits(world, quick ? 2 : 5),
  kills: (world) =>
    measureKills(world, {
      subscribers: Math.min(subscribers, 25_000),
      everyMs: quick ? 3_000 : 10_000,
      most: quick ? 1 : 3,
    }),
  client: () => compareClients(),
};

// The service's processes lead their own sessions, so end them with this process.
process.once('SIGINT', () => process.exit(130));

async function main(): Promise<void> {
  const chosen = stagesOf(options.only);
  const startedAt = performance.now();
  const world = await startWebhookWorld({
    subscribers,
    projects: 20_000,
    receivers: RECEIVERS,
    profileTo: options.profile,
  });
  const rows: Row[] = [];
  try {
    console.log(`${subscribers} subscribers after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
    for (const stage of chosen) {
      const found = await stages[stage](world);
      rows.push(...found);
      console.log(tableOf(found).split('\n').slice(2).join('\n'));
    }
    const [version] = await world.db<[{ version: string }]>`select current_setting('server_version') as version`;
    const missed = rows.filter(isMissed).length;
    const figures = [await machine(version.version), tableOf(rows)].join('\n\n');
    console.log(`\n${figures}\n\n${missed === 0 ? 'Every aim is reached.' : `${missed} of the aims are missed.`}`);
    if (options.write) await writeFigures(figures, 'webhooks');
  } finally {
    await world.stop();
  }
}

/** Returns the stages that `--only` names. Without it, all stages run except the comparison of clients. */
function stagesOf(only: string | undefined): Stage[] {
  if (only === undefined) return STAGES.filter((stage) => stage !== 'client');
  return only.split(',').map((name) => {
    const stage = STAGES.find((known) => known === name);
    if (!stage) throw new Error(`--only takes ${STAGES.join(', ')}`);
    return stage;
  });
}

await main();
