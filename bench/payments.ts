import { randomUUIDv7 } from 'node:crypto';
import { newPayer, type Payer } from '../test/support/clients/client.ts';
import { interleaved, median, type Values } from './statistics.ts';
import type { BenchWorld } from './bench-world.ts';

const ONE_ROUND = 12;
const WALLETS = 8;

type Way = (wallet: number) => Promise<void>;

/** The milliseconds of one paid request by the public client: 402, signature, and 200. */
export type PaidMeasured = { one: Values; eight: Values };

/**
 * Measures a whole paid upload request and compares it with a bare @x402/hono server, by the same client and on the same
 * chain. Each payment of the service is for a separate submission, and each wallet belongs to one agent.
 */
export async function measurePayments(world: BenchWorld, rounds: number): Promise<PaidMeasured> {
  const payers = await fundedPayers(world);
  const service = await uploadWay(world, payers, (rounds + 1) * (ONE_ROUND + WALLETS));
  const bare = await bareWay(world, payers);
  const one = await interleaved(rounds, {
    service: () => oneAfterTheOther(service),
    bareX402: () => oneAfterTheOther(bare),
  });
  const eight = await interleaved(rounds, {
    service: () => allAtOnce(service),
    bareX402: () => allAtOnce(bare),
  });
  return { one, eight };
}

async function fundedPayers({ chain }: BenchWorld): Promise<Payer[]> {
  const payers = Array.from({ length: WALLETS }, () => newPayer());
  for (const payer of payers) await chain.mintUsdc(payer.address, 1_000_000_000);
  return payers;
}

/** Creates the intents beforehand, because only the upload request is measured. */
async function uploadWay(world: BenchWorld, payers: Payer[], perWallet: number): Promise<Way> {
  const submissions = payers.map((_, wallet) =>
    world.openProjects
      .slice(0, perWallet)
      .map((projectId) => ({ id: randomUUIDv7(), project_id: projectId, agent_id: world.agents[wallet]!.id })),
  );
  const rows = submissions.flat();
  await world.db`delete from submissions where agent_id = any(${world.agents.slice(0, WALLETS).map((agent) => agent.id)})`;
  await world.db`
    insert into submissions (id, project_id, agent_id, title, status, created_at)
    select id, project_id, agent_id, 'Lighthouse at dusk', 'pending', now()
    from unnest(${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.project_id)}::uuid[], ${rows.map((row) => row.agent_id)}::uuid[])
      as s (id, project_id, agent_id)`;
  const body = JSON.stringify({ fileName: 'dusk.png', fileType: 'image/png', fileSize: 500_000 });
  return async (wallet) => {
    const entry = submissions[wallet]?.pop();
    if (!entry) throw new Error('more payments than submissions');
    const url = `${world.service.url}/api/v1/agents/projects/${entry.project_id}/submissions/${entry.id}`;
    await paid(payers[wallet]!, url, body, {
      authorization: `Bearer ${world.agents[wallet]!.key}`,
      'x-forwarded-for': '203.0.113.7',
    });
  };
}

async function bareWay(world: BenchWorld, payers: Payer[]): Promise<Way> {
  const { chain, treasury } = world;
  const peer = world.startPeer('peers/x402-peer.ts', {
    rpcUrl: chain.rpcUrl,
    key: await world.gasKey(),
    payTo: treasury,
  });
  const { port } = await peer.ask<{ port: number }>({});
  return async (wallet) => await paid(payers[wallet]!, `http://127.0.0.1:${port}/paid`, '{}', {});
}

async function paid(payer: Payer, url: string, body: string, headers: Record<string, string>): Promise<void> {
  const response = await payer.pay(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await response.text();
  if (response.status !== 200 || !response.headers.has('payment-response'))
    throw new Error(`${response.status} of ${url}: ${text}`);
}

async function oneAfterTheOther(way: Way): Promise<number> {
  const times: number[] = [];
  for (let payment = 0; payment < ONE_ROUND; payment += 1) times.push(await timed(() => way(0)));
  return median(times);
}

async function allAtOnce(way: Way): Promise<number> {
  return median(await Promise.all(Array.from({ length: WALLETS }, (_, wallet) => timed(() => way(wallet)))));
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
