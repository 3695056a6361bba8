import { setTimeout as sleep } from 'node:timers/promises';
import { rpcClient } from '../server/devnet/chain-rpc.ts';
import type { Payer } from '../test/support/clients/client.ts';
import { openProject } from '../test/support/clients/journey.ts';
import { type Child, startChild } from './child.ts';
import { fundedPayers, type Paid, startBareServer, uploadsOf } from './payments.ts';
import type { NodeAnswer, NodeQuestion } from './peers/slow-node-peer.ts';
import { type Row, rowOfTimes } from './report.ts';
import { type BenchWorld, startBenchWorld } from './world.ts';

// Agents that pay at the same moment on a slow chain: 80 ms to the node, and a block every 2 s. The service beside a bare
// @x402/hono server on the same chain.

const DELAY_MS = 80;
const BLOCK_SECONDS = 2;
// A block of anvil holds 30 million gas, which is two batches. A block of Base holds many more.
const BLOCK_GAS = `0x${(150_000_000).toString(16)}`;
const MOST_P95_MS = 8_000;
const MOST_TRIES = 60;

/** `times`: milliseconds until each agent had its answer. `pending`: answers PAYMENT_PENDING; their agents asked again. */
type Rush = { times: number[]; pending: number };

export async function measureBurst(sizes: number[]): Promise<Row[]> {
  let node!: Child;
  const world = await startBenchWorld({
    // Seeded projects are not in the ledger. Its check would find that, and take no money.
    projects: 0,
    agents: Math.max(...sizes),
    settings: { LIMIT_POSTER_PER_MINUTE: '1000000', LIMIT_PUBLIC_READS_PER_MINUTE: '1000000' },
    async nodeUrl(rpcUrl) {
      node = startChild('slow-node-peer.ts', { rpcUrl });
      return (await node.ask<NodeAnswer>({})).url;
    },
  });
  const ask = (question: NodeQuestion) => node.ask<NodeAnswer>(question);
  try {
    const payers = await fundedPayers(world, Math.max(...sizes));
    const bare = await startBareServer(world, (await ask({})).url);
    const rows: Row[] = [];
    // The first payment of a process compiles code and opens connections.
    for (const agents of [1, ...sizes]) {
      const rushing = payers.slice(0, agents);
      const theirs = await rush(world, ask, rushing, Array<Paid>(agents).fill(bare));
      const ours = await rush(world, ask, rushing, await entriesOf(world, agents));
      if (agents > 1) rows.push(...rowsOf(agents, ours, theirs));
    }
    return rows;
  } finally {
    await node.stop();
    await world.stop();
  }
}

function rowsOf(agents: number, ours: Rush, theirs: Rush): Row[] {
  const what = `${agents} agents pay at once on a slow chain`;
  const p95 = ours.times[Math.ceil(agents * 0.95) - 1] ?? NaN;
  const [last, theirLast] = [ours.times.at(-1) ?? NaN, theirs.times.at(-1) ?? NaN];
  return [
    rowOfTimes(`${what}: p95`, [p95], MOST_P95_MS),
    { what: `${what}: answers PAYMENT_PENDING`, aim: { atMost: 0 }, ratios: [ours.pending], absolute: '' },
    {
      what: `${what}: the last : that of the bare @x402/hono`,
      aim: null,
      ratios: [last / theirLast],
      absolute: `${Math.round(last)} ms : ${Math.round(theirLast)} ms`,
    },
  ];
}

/** Opens a project in which each agent has an intent. */
async function entriesOf(world: BenchWorld, count: number): Promise<Paid[]> {
  const market = { url: world.service.url, mintUsdc: world.chain.mintUsdc };
  const { id: projectId } = await openProject(market, { prizeUsdc: 1, entryFeeUsdc: 0.25 });
  return await uploadsOf(
    world,
    world.agents.slice(0, count).map(({ id: agentId }) => ({ projectId, agentId })),
  );
}

/** All payers pay at the same moment with the public client. The chain is slow only meanwhile. */
async function rush(
  { chain }: BenchWorld,
  ask: (question: NodeQuestion) => Promise<NodeAnswer>,
  payers: Payer[],
  requests: Paid[],
): Promise<Rush> {
  await ask({ delayMs: DELAY_MS });
  await mineEvery(chain.rpcUrl, BLOCK_SECONDS);
  await sleep(500);
  const startedAt = performance.now();
  const each = await Promise.all(
    payers.map(async (payer, index) => {
      const pending = await payPatiently(payer, requests[index]!);
      return { pending, ms: performance.now() - startedAt };
    }),
  );
  await ask({ delayMs: 0 });
  await mineEvery(chain.rpcUrl, 0);
  return {
    times: each.map(({ ms }) => ms).toSorted((a, b) => a - b),
    pending: each.reduce((sum, { pending }) => sum + pending, 0),
  };
}

async function mineEvery(rpcUrl: string, seconds: number): Promise<void> {
  const rpc = rpcClient(rpcUrl);
  await rpc('evm_setBlockGasLimit', [BLOCK_GAS]);
  await rpc('evm_setIntervalMining', [seconds]);
  await rpc('evm_setAutomine', [seconds === 0]);
  if (seconds === 0) await rpc('evm_mine', []);
}

/** An overloaded server has charged nothing, and a pending payment is taken once: the agent asks again, as its client would. */
async function payPatiently(payer: Payer, { url, headers, body }: Paid): Promise<number> {
  let pending = 0;
  for (let tries = 1; ; tries += 1) {
    const response = await payer.pay(url, { method: 'POST', headers, body });
    const text = await response.text();
    if (response.status === 200) return pending;
    const isPending = text.includes('PAYMENT_PENDING');
    const isOverloaded = response.status === 503 && text.includes('overloaded');
    if (!(isPending || isOverloaded) || tries === MOST_TRIES) throw new Error(`${response.status} of ${url}: ${text}`);
    if (isPending) pending += 1;
    await sleep(500);
  }
}
