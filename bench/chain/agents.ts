import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { toEventSelector } from 'viem';
import { rpcClient } from '../../server/devnet/chain-rpc.ts';
import { newPayer, type Payer } from '../../test/support/clients/client.ts';
import { openProject } from '../../test/support/clients/journey.ts';
import type { BenchWorld } from '../bench-world.ts';

type Receipt = { gasUsed: string; logs: { topics: string[] }[] };

const AUTHORIZATION_USED = toEventSelector('AuthorizationUsed(address,bytes32)');
const FEE_USDC = 0.25;
const MOST_TRIES = 60;
// Bounds a run. The bare server takes a minute and a half for 1,000 payments on the far chain.
const LONGEST_MS = 300_000;

/** The results of agents that paid at the same moment. */
export type Rush = {
  /** Milliseconds until each agent that was served had its answer. */
  times: number[];
  /** Answers PAYMENT_PENDING. Each of these agents asked again, with the same payment. */
  pending: number;
  failed: string[];
  gasPerPayment: number;
};

export async function fundedPayers({ chain }: BenchWorld, count: number): Promise<Payer[]> {
  const payers = Array.from({ length: count }, () => newPayer());
  for (const payer of payers) await chain.mintUsdc(payer.address, 1_000_000_000);
  return payers;
}

/** A new project in which each agent has an intent, so that only the paid request is measured. */
export async function projectOf(world: BenchWorld, count: number): Promise<{ id: string; submissions: string[] }> {
  const market = { url: world.service.url, mintUsdc: world.chain.mintUsdc };
  const project = await openProject(market, { prizeUsdc: 1, entryFeeUsdc: FEE_USDC });
  const ids = Array.from({ length: count }, () => randomUUIDv7());
  await world.db`
    insert into submissions (id, project_id, agent_id, title, status, created_at)
    select id, ${project.id}, agent_id, 'Lighthouse at dusk', 'pending', now()
    from unnest(${ids}::uuid[], ${world.agents.slice(0, count).map(({ id }) => id)}::uuid[]) as s (id, agent_id)`;
  return { id: project.id, submissions: ids };
}

export type Target = (index: number) => { url: string; headers: Record<string, string>; body: string };

export function entriesOf(world: BenchWorld, { id, submissions }: { id: string; submissions: string[] }): Target {
  const body = JSON.stringify({ fileName: 'dusk.png', fileType: 'image/png', fileSize: 500_000 });
  return (index) => ({
    url: `${world.service.url}/api/v1/agents/projects/${id}/submissions/${submissions[index]}`,
    headers: { authorization: `Bearer ${world.agents[index]?.key}`, 'x-forwarded-for': '203.0.113.7' },
    body,
  });
}

/** All payers pay at the same moment with the public client. */
export async function rush(world: BenchWorld, payers: Payer[], target: Target): Promise<Rush> {
  const result: Rush = { times: [], pending: 0, failed: [], gasPerPayment: 0 };
  const hashes = new Set<string>();
  const startedAt = performance.now();
  await Promise.all(
    payers.map(async (payer, index) => {
      try {
        const { response, text, pending } = await payPatiently(payer, target(index));
        result.pending += pending;
        if (response.status !== 200) {
          result.failed.push(`${response.status} ${text.slice(0, 200)}`);
          return;
        }
        result.times.push(performance.now() - startedAt);
        // An agent that asked again presented no payment: its answer names no transaction.
        const paid = response.headers.get('payment-response');
        if (paid)
          hashes.add((JSON.parse(Buffer.from(paid, 'base64').toString()) as { transaction: string }).transaction);
        else if (pending === 0) result.failed.push('an answer without a payment');
      } catch (error) {
        result.failed.push(String(error));
      }
    }),
  );
  const gasPerPayment = await gasOf(world, hashes);
  return { ...result, times: result.times.toSorted((a, b) => a - b), gasPerPayment };
}

/** The gas of these transactions, for each payment that they made. */
async function gasOf({ chain }: BenchWorld, hashes: Set<string>): Promise<number> {
  const rpc = rpcClient(chain.rpcUrl);
  let gas = 0;
  let payments = 0;
  for (const hash of hashes) {
    const receipt = (await rpc('eth_getTransactionReceipt', [hash])) as Receipt | null;
    gas += Number(receipt?.gasUsed ?? 0);
    payments += receipt?.logs.filter(({ topics }) => topics[0] === AUTHORIZATION_USED).length ?? 0;
  }
  return gas / payments;
}

/** An overloaded server has charged nothing, and a pending payment is taken once: the agent asks again, as its client would. */
async function payPatiently(payer: Payer, { url, headers, body }: ReturnType<Target>) {
  const signal = AbortSignal.timeout(LONGEST_MS);
  let pending = 0;
  for (let tries = 1; ; tries += 1) {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body, signal };
    const response = await payer.pay(url, init);
    const text = await response.text();
    const isPending = text.includes('PAYMENT_PENDING');
    const isOverloaded = response.status === 503 && text.includes('overloaded');
    if ((!isPending && !isOverloaded) || tries === MOST_TRIES) return { response, text, pending };
    if (isPending) pending += 1;
    await sleep(500);
  }
}
