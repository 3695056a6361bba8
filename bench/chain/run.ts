import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { rpcClient } from '../../server/devnet/chain-rpc.ts';
import type { Payer } from '../../test/support/clients/client.ts';
import { machine, writeFigures } from '../report.ts';
import { type BenchWorld, startBenchWorld } from '../bench-world.ts';
import { cpuSeconds, startChild, type Child } from '../child.ts';
import { entriesOf, fundedPayers, projectOf, rush, type Rush, type Target } from './agents.ts';
import type { NodeAnswer, NodeQuestion } from './slow-node.ts';

// npm run bench:chain -- [--sizes 1,8,64,256,1000] [--chains far,near] [--rounds 1]
// [--peer-up-to 1000] [--write]
// Agents that pay at the same moment: the service beside a bare @x402/hono server, on the same chain. The chain is `far`
// (80 ms to the node, a block every 2 s) or `near` (no delay, blocks at once).

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1,8,64,256,1000' },
    chains: { type: 'string', default: 'far,near' },
    /** How often the service and the bare server take turns. One agent alone: at least nine times. */
    rounds: { type: 'string', default: '1' },
    'peer-up-to': { type: 'string', default: '1000' },
    profile: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const CHAINS = { far: { delayMs: 80, blockSeconds: 2 }, near: { delayMs: 0, blockSeconds: 0 } };
type ChainName = keyof typeof CHAINS;
// A block of anvil holds 30 million gas, which is two batches. A block of Base holds many more.
const BLOCK_GAS = `0x${(150_000_000).toString(16)}`;
// One wallet alone meets another moment of the block each time.
const ROUNDS_OF_ONE = 9;

/** `cpuMs`: CPU time of the service for each payment. */
type Line = { chain: ChainName; agents: number; who: string; rush: Rush; calls: number; cpuMs: number };

async function main(): Promise<void> {
  const sizes = options.sizes.split(',').map(Number);
  const chains = options.chains.split(',') as ChainName[];
  const most = Math.max(...sizes);
  let node: Child | null = null;
  const world = await startBenchWorld({
    // Seeded projects are not in the ledger. Its check would find that, and take no money.
    projects: 0,
    agents: most,
    profileTo: options.profile,
    settings: {
      LIMIT_POSTER_PER_MINUTE: '1000000',
      LIMIT_PUBLIC_READS_PER_MINUTE: '1000000',
    },
    async nodeUrl(rpcUrl) {
      node = startChild('chain/slow-node.ts', { rpcUrl });
      const { port } = await node.ask<NodeAnswer>({});
      return `http://127.0.0.1:${port}`;
    },
  });
  const ask = (question: NodeQuestion) => node!.ask<NodeAnswer>(question);
  try {
    const { port } = await ask({});
    const payers = await fundedPayers(world, most);
    const peer = await bareServer(world, `http://127.0.0.1:${port}`);
    const lines: Line[] = [];
    const sidesFor = (agents: number): Side[] => [
      { who: 'service', target: async () => entriesOf(world, await projectOf(world, agents)) },
      ...(agents <= Number(options['peer-up-to']) ? [{ who: 'bare x402', target: async () => () => peer }] : []),
    ];
    // The first payment of a process compiles code and opens connections.
    for (const side of sidesFor(1)) await measureOnce(world, ask, { chain: 'near', agents: 1, payers, round: 0 }, side);
    for (const chain of chains) {
      for (const agents of sizes) {
        const sides = sidesFor(agents);
        const found = await inTurns(world, ask, { chain, agents, payers }, sides);
        for (const line of found) console.log(rowOf(line));
        lines.push(...found);
      }
    }
    const [version] = await world.db<[{ version: string }]>`select current_setting('server_version') as version`;
    const figures = `${machine(version.version)}\n\n${tableOf(lines)}`;
    console.log(figures);
    if (options.write) await writeFigures(figures, 'chain');
  } finally {
    await (node as Child | null)?.stop();
    await world.stop();
  }
}

async function bareServer(world: BenchWorld, rpcUrl: string): Promise<ReturnType<Target>> {
  const settings = { rpcUrl, key: await world.gasKey(), payTo: world.treasury };
  const { port } = await world.startPeer('peers/x402-peer.ts', settings).ask<{ port: number }>({});
  return { url: `http://127.0.0.1:${port}/paid`, headers: {}, body: '{}' };
}

async function blocks(world: BenchWorld, seconds: number): Promise<void> {
  const rpc = rpcClient(world.chain.rpcUrl);
  await rpc('evm_setBlockGasLimit', [BLOCK_GAS]);
  await rpc('evm_setIntervalMining', [seconds]);
  await rpc('evm_setAutomine', [seconds === 0]);
  if (seconds === 0) await rpc('evm_mine', []);
}

type Measured = { chain: ChainName; agents: number; payers: Payer[] };
type Side = { who: string; target: () => Promise<Target> };

/** Measures the sides in turns, so that a slow moment of the machine affects both. */
async function inTurns(
  world: BenchWorld,
  ask: (question: NodeQuestion) => Promise<NodeAnswer>,
  { chain, agents, payers }: Measured,
  sides: Side[],
): Promise<Line[]> {
  const rounds = Math.max(Number(options.rounds), agents === 1 ? ROUNDS_OF_ONE : 1);
  const lines = sides.map(({ who }): Line => {
    const none: Rush = { times: [], pending: 0, failed: [], gasPerPayment: 0 };
    return { chain, agents, who, rush: none, calls: 0, cpuMs: 0 };
  });
  for (let round = 0; round < rounds; round += 1) {
    const turns = sides.map((side, index) => ({ side, line: lines[index]! }));
    for (const { side, line } of round % 2 === 0 ? turns : turns.toReversed()) {
      const one = await measureOnce(world, ask, { chain, agents, payers, round }, side);
      line.cpuMs += one.cpuMs / rounds;
      line.calls += one.calls / rounds;
      line.rush.times.push(...one.rush.times);
      line.rush.pending += one.rush.pending;
      line.rush.failed.push(...one.rush.failed);
      line.rush.gasPerPayment += one.rush.gasPerPayment / rounds;
    }
  }
  for (const { rush: all, who } of lines) {
    if (all.failed.length > 0) console.error(`${who}: ${all.failed.length} failed: ${all.failed[0]}`);
    all.times.sort((first, second) => first - second);
  }
  return lines;
}

async function measureOnce(
  world: BenchWorld,
  ask: (question: NodeQuestion) => Promise<NodeAnswer>,
  { chain, agents, payers, round }: Measured & { round: number },
  { target }: Side,
): Promise<Pick<Line, 'rush' | 'calls' | 'cpuMs'>> {
  const { delayMs, blockSeconds } = CHAINS[chain];
  await ask({ delayMs: 0 });
  const aim = await target();
  await ask({ delayMs });
  await blocks(world, blockSeconds);
  await sleep(300 + ((round * 700) % 2_000));
  await ask({ count: 'reset' });
  const cpuBefore = await cpuSeconds(world.service.pid);
  const one = await rush(world, payers.slice(0, agents), aim);
  const cpuMs = (1000 * ((await cpuSeconds(world.service.pid)) - cpuBefore)) / agents;
  const { total: calls } = await ask({ count: 'read' });
  await blocks(world, 0);
  return { rush: one, calls, cpuMs };
}

function at(times: number[], part: number): string {
  const time = times[Math.min(times.length - 1, Math.ceil(times.length * part) - 1)];
  if (time === undefined) return '–';
  return time < 1000 ? `${Math.round(time)} ms` : `${(time / 1000).toFixed(2)} s`;
}

function rowOf({ chain, agents, who, rush: { times, pending, failed, gasPerPayment }, calls, cpuMs }: Line): string {
  const cells = [
    chain,
    agents,
    who,
    at(times, 0.5),
    at(times, 0.95),
    at(times, 1),
    pending || 'none',
    failed.length || 'none',
  ];
  return `| ${[...cells, (calls / agents).toFixed(1), Math.round(gasPerPayment), who === 'service' ? `${cpuMs.toFixed(1)} ms` : ''].join(' | ')} |`;
}

const HEAD = [
  'chain',
  'agents at once',
  'server',
  'p50',
  'p95',
  'last',
  'pending, asked again',
  'failed',
  'calls to the node per payment',
  'gas per payment',
  'CPU per payment',
];

function tableOf(lines: Line[]): string {
  const head = [`| ${HEAD.join(' | ')} |`, `|${HEAD.map(() => '---').join('|')}|`];
  return [...head, ...lines.map(rowOf)].join('\n');
}

await main();
