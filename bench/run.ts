import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CHROMIUM } from '../test/support/console/console-world.ts';
import { measureBurst } from './burst.ts';
import { measureConfirmations } from './confirmations.ts';
import { measureFanOut } from './fan-out.ts';
import type { Tools } from './measure.ts';
import { measurePages } from './pages.ts';
import { measurePayments } from './payments.ts';
import { measureCachedSearch, measureIntents, measureUncachedSearch } from './reads.ts';
import { isMissed, machine, type Row, tableOf, writeFigures } from './report.ts';
import { compareSizes } from './search-sizes.ts';
import { measureStarts } from './start.ts';
import { startBenchWorld } from './world.ts';

// npm run bench -- [--quick] [--write] [--only cached,uncached,…] [--profile FOLDER] [--beside FOLDER]
// Every figure is a ratio of two alternating measurements of one run, or a share of a limit, because machines differ.

/** These share one service with a large market. */
const STAGES: Record<string, (tools: Tools) => Promise<Row[]>> = {
  cached: measureCachedSearch,
  uncached: measureUncachedSearch,
  intents: measureIntents,
  payments: measurePayments,
  fanout: measureFanOut,
  confirmations: measureConfirmations,
  start: measureStarts,
  sizes: compareSizes,
  pages: measurePages,
};
/** It has a service of its own, far from its node. */
const BURST = 'burst';

const { values: options } = parseArgs({
  options: {
    /** Runs fewer and shorter rounds on smaller tables, to check that the benchmark works. */
    quick: { type: 'boolean', default: false },
    /** Writes the figures into docs/benchmarks.md. */
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
    /** Makes the service write a CPU profile to this folder. */
    profile: { type: 'string' },
    /** Another checkout, with its packages, whose service gets the same load: what a change costs or brings. */
    beside: { type: 'string' },
  },
});
const { quick, profile: profileTo, beside } = options;
const [rounds, durationMs] = quick ? [3, 1_500] : [7, 3_000];

// Pages are measured where there is a browser.
const known = [...Object.keys(STAGES), BURST].filter((name) => name !== 'pages' || existsSync(CHROMIUM));
const stages = options.only?.split(',') ?? known;
for (const name of stages) if (!known.includes(name)) throw new Error(`--only takes ${known.join(', ')}`);

const rows: Row[] = [];
const add = (more: Row[]) => {
  rows.push(...more);
  console.log(tableOf(more).split('\n').slice(2).join('\n'));
};

let busy = 0;
if (stages.some((name) => name !== BURST)) {
  const world = await startBenchWorld({ projects: quick ? 20_000 : 100_000, agents: 10_000, profileTo, beside });
  try {
    const generator = world.startPeer('load-peer.ts', {});
    const onBusy = (share: number) => void (busy = Math.max(busy, share));
    for (const name of stages) add((await STAGES[name]?.({ world, rounds, durationMs, generator, onBusy })) ?? []);
  } finally {
    await world.stop();
  }
}
if (stages.includes(BURST)) add(await measureBurst(quick ? [16] : [64, 256]));
const missed = rows.filter(isMissed).length;
const figures = `${machine()} The load generator took at most ${Math.round(busy * 100)} % of a core.\n\n${tableOf(rows)}`;
console.log(`\n${figures}\n\n${missed === 0 ? 'Every aim is reached.' : `${missed} of the aims are missed.`}`);
if (options.write) await writeFigures(figures);
