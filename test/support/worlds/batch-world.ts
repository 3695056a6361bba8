import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { privateKeyToAddress } from 'viem/accounts';
import {
  createInProcessFacilitator,
  type InProcessFacilitatorOptions,
} from '../../../server/x402/in-process-facilitator.ts';
import { facilitatorPayment } from '../../../server/x402/presented-payment.ts';
import type { Db } from '../../../server/db/database.ts';
import type { Facilitator, Settlement, X402Payment } from '../../../server/x402/types.ts';
import type { PresentedPayment } from '../../../server/payments/types.ts';
import { until } from '../processes/processes.ts';
import { rpcProxy } from '../servers/http-server.ts';
import { network, pay, paymentWorld, type Wallet } from './payment-world.ts';

const PRICE = 250_000;
const HOLDER = 'a test';
// Less than the time for which a lane is held, and than a test may take.
const MOST_MS = 200_000;

/**
 * Holds the lane of a facilitator key while `work` runs, so that calls wait for their broadcast and share it afterwards.
 */
export async function holdingLane<T>(db: Db, key: `0x${string}`, work: () => Promise<T>): Promise<T> {
  const address = privateKeyToAddress(key).toLowerCase();
  await until('the lane', async () => {
    const rows = await db`
      insert into signer_lanes as lane (address, holder, lease_until)
      values (${address}, ${HOLDER}, clock_timestamp() + interval '10 minutes')
      on conflict (address) do update
        set holder = excluded.holder, lease_until = excluded.lease_until, backend_pid = null, backend_start = null
        where lane.lease_until <= clock_timestamp()
      returning 1`;
    return rows.length === 1;
  });
  try {
    return await work();
  } finally {
    await db`update signer_lanes set lease_until = '-infinity' where address = ${address} and holder = ${HOLDER}`;
  }
}

/** Waits until the payments of the subjects are claimed, and so wait for their broadcast, or until they are settled. */
export async function untilClaimed(
  db: Db,
  subjectIds: string[],
  state: 'settling' | 'settled' = 'settling',
): Promise<void> {
  await until('the claims', async () => {
    const [row] = await db<[{ count: number }]>`
      select count(*)::int as count from payments where subject_id = any(${subjectIds}) and state = ${state}`;
    return row.count === subjectIds.length;
  });
  // The process queues a call right after its claim has committed.
  await sleep(50);
}

/** A proxy to the node that counts the transfers that were simulated. Each of them is queued for its broadcast next. */
export async function watchSimulations(nodeUrl: string) {
  // On a busy machine, the sweeper settles a payment again while it waits for the lane.
  const simulated = new Set<string>();
  const rpcUrl = await rpcProxy(nodeUrl, ({ method, params }, response) => {
    if (method === 'eth_estimateGas') response.once('finish', () => void simulated.add(JSON.stringify(params)));
    return false;
  });
  return {
    rpcUrl,
    /** Waits until so many different transfers were simulated in all, and wait for their broadcast. */
    async untilQueued(total: number): Promise<void> {
      await until('the simulations', async () => simulated.size >= total, MOST_MS);
      // A process queues a call as soon as it has read the answer.
      await sleep(200);
    },
  };
}

type World = Pick<Awaited<ReturnType<typeof paymentWorld>>, 'rpcUrl' | 'facilitatorKey' | 'db' | 'deps'>;

/** Creates a facilitator that puts payments together, as a process of its own would. */
export function facilitatorOf(world: World, change: Partial<InProcessFacilitatorOptions> = {}): Facilitator {
  return createInProcessFacilitator({
    rpcUrl: world.rpcUrl,
    network,
    keys: [world.facilitatorKey],
    log: world.deps.log,
    db: world.db,
    holder: randomUUIDv7(),
    pollMs: 10,
    confirmationTimeoutMs: 3_000,
    ...change,
  });
}

/** Creates the payments on a real chain, with facilitators that put payments together. */
export async function batchWorld() {
  const world = await paymentWorld();
  return {
    ...world,
    facilitatorWith: (change: Partial<InProcessFacilitatorOptions> = {}) => facilitatorOf(world, change),
    wallets: (count: number): Promise<Wallet[]> =>
      Promise.all(Array.from({ length: count }, () => world.wallet(PRICE))),
    async signed(wallet: Wallet, version: 1 | 2 = 2): Promise<X402Payment> {
      const quote = world.quote();
      return facilitatorPayment(quote, (await pay(wallet, quote, version)) as PresentedPayment);
    },
    balanceOf: (wallet: Wallet) => world.deps.chain.balanceMicro(wallet.address),
  };
}

/** Settles the payments so that all of them are ready in the same moment. */
export async function atOnce(facilitator: Facilitator, payments: X402Payment[]): Promise<Settlement[]> {
  const verified = await Promise.all(payments.map((payment) => facilitator.verify(payment)));
  assert.ok(verified.every(({ isValid }) => isValid));
  return await Promise.all(payments.map((payment, index) => facilitator.settle(payment, verified[index]?.prepared)));
}
