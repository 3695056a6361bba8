import { randomUUIDv7 } from 'node:crypto';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { rpcClient } from '../server/devnet/chain-rpc.ts';
import { newPayer, type Payer } from '../test/support/clients/client.ts';
import { interleaved, median, timed, type Tools } from './measure.ts';
import { type Row, rowsBeside } from './report.ts';
import type { BenchWorld } from './world.ts';

const PAYMENTS = 12;

/** A request that has to be paid. */
export type Paid = { url: string; headers: Record<string, string>; body: string };

/**
 * Measures a whole paid upload request by the public client: 402, signature, and 200, beside a bare @x402/hono server on the
 * same chain. Each payment of the service is for a separate submission.
 */
export async function measurePayments({ world, rounds }: Tools): Promise<Row[]> {
  const [payer] = await fundedPayers(world, 1);
  const agentId = world.agents[0]!.id;
  await world.db`delete from submissions where agent_id = ${agentId}`;
  const projects = world.openProjects.slice(0, (rounds + 1) * PAYMENTS);
  const uploads = await uploadsOf(
    world,
    projects.map((projectId) => ({ projectId, agentId })),
  );
  const bare = await startBareServer(world, world.chain.rpcUrl);
  const values = await interleaved(rounds, {
    service: () => oneAfterTheOther(payer!, () => uploads.pop()!),
    bareX402: () => oneAfterTheOther(payer!, () => bare),
  });
  const bareX402 = { name: "bare @x402/hono with the packages' facilitator", aim: { atMost: 1.2 } };
  return rowsBeside('a paid upload request', values, { bareX402 }, (ms) => `${ms.toFixed(1)} ms`);
}

async function oneAfterTheOther(payer: Payer, next: () => Paid): Promise<number> {
  const times: number[] = [];
  for (let payment = 0; payment < PAYMENTS; payment += 1)
    times.push(
      await timed(async () => {
        const { url, headers, body } = next();
        const response = await payer.pay(url, { method: 'POST', headers, body });
        const text = await response.text();
        if (response.status !== 200 || !response.headers.has('payment-response'))
          throw new Error(`${response.status} of ${url}: ${text}`);
      }),
    );
  return median(times);
}

export async function fundedPayers({ chain }: BenchWorld, count: number): Promise<Payer[]> {
  const payers = Array.from({ length: count }, () => newPayer());
  for (const payer of payers) await chain.mintUsdc(payer.address, 1_000_000_000);
  return payers;
}

/** Creates intents, so that only their paid upload requests are measured. Returns the requests. */
export async function uploadsOf(
  { db, agents, service }: BenchWorld,
  intents: { projectId: string; agentId: string }[],
): Promise<Paid[]> {
  const rows = intents.map((intent) => ({ ...intent, id: randomUUIDv7() }));
  await db`
    insert into submissions (id, project_id, agent_id, title, status, created_at)
    select id, project_id, agent_id, 'Lighthouse at dusk', 'pending', now()
    from unnest(${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.projectId)}::uuid[],
      ${rows.map((row) => row.agentId)}::uuid[]) as s (id, project_id, agent_id)`;
  const keys = new Map(agents.map(({ id, key }) => [id, key]));
  const body = JSON.stringify({ fileName: 'dusk.png', fileType: 'image/png', fileSize: 500_000 });
  return rows.map(({ id, projectId, agentId }) => ({
    url: `${service.url}/api/v1/agents/projects/${projectId}/submissions/${id}`,
    headers: {
      authorization: `Bearer ${keys.get(agentId)}`,
      'x-forwarded-for': '203.0.113.7',
      'content-type': 'application/json',
    },
    body,
  }));
}

/** Starts the bare x402 server of the comparison. */
export async function startBareServer(world: BenchWorld, rpcUrl: string): Promise<Paid> {
  const key = generatePrivateKey();
  await rpcClient(world.chain.rpcUrl)('anvil_setBalance', [privateKeyToAddress(key), '0x21e19e0c9bab2400000']);
  const settings = { rpcUrl, key, payTo: world.treasury };
  const { port } = await world.startPeer('x402-peer.ts', settings).ask<{ port: number }>({});
  return { url: `http://127.0.0.1:${port}/paid`, headers: { 'content-type': 'application/json' }, body: '{}' };
}
