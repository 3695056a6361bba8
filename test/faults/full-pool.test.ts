import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { limitConnectionWait } from '../../server/db/wait-limit.ts';
import type { Db } from '../../server/ports/database.ts';
import { call, fund, newPayer, signPayment } from '../support/clients/client.ts';
import {
  createIntent,
  expectStatus,
  ledger,
  openProject,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// The database answers, but others hold every connection of the service's pool.

const FEE_MICRO = 250_000;
const FUNDS_MICRO = 1_000_000;
const CONNECTIONS = 3;
const TURN_MS = 10;

const pool: { db?: Db } = {};
/** Whether the pool limits the wait. The limit of this file is 0.2 s, which a busy machine may need before all is set up. */
let isLimited = false;
/** Runs right after the settlement of a payment, before the service receives its result. */
let afterSettle: () => Promise<void> = async () => {};
const world = await startWorld({
  connections: CONNECTIONS,
  paymentTimes: { leaseMs: 1_000 },
  wrap: ({ db, facilitator }) => {
    pool.db = db;
    limitConnectionWait(db, TURN_MS);
    const limit = Reflect.get(db.options, 'queued') as (...given: unknown[]) => void;
    Object.assign(db.options, { queued: (...given: unknown[]) => isLimited && limit(...given) });
    return {
      facilitator: {
        ...facilitator,
        async settle(payment, prepared) {
          const settlement = await facilitator.settle(payment, prepared);
          await afterSettle();
          return settlement;
        },
      },
    };
  },
});
const { url } = world;

/** Takes every connection of the pool; returns a function that gives them back. */
async function takeAll(): Promise<() => Promise<void>> {
  const { db } = pool;
  assert.ok(db);
  const done = Promise.withResolvers<void>();
  const taken = Array.from({ length: db.options.max }, () => Promise.withResolvers<void>());
  const holders = taken.map(({ resolve }) =>
    db.begin(async (tx) => {
      await tx`select 1`;
      resolve();
      await done.promise;
    }),
  );
  await Promise.all(taken.map(({ promise }) => promise));
  isLimited = true;
  return async () => {
    isLimited = false;
    done.resolve();
    await Promise.all(holders);
  };
}

afterEach(() => {
  afterSettle = async () => {};
});

describe('a request that waits for a connection of a full pool', () => {
  it('gets 503 after 5 s, and nothing of it happens later', async () => {
    const release = await takeAll();
    const register = () => call(url, 'POST', '/posters/create', { body: { poster_name: 'Waits in vain' } });
    let answer = await register();
    // Jobs wait, too, and on a busy machine long enough for the service to refuse new requests.
    while (/overloaded/.test(answer.body.error.message)) answer = await register();
    await release();
    expectStatus(answer, 503);
    assert.equal(answer.body.error.code, 'DATABASE_ERROR');
    assert.equal(answer.headers.get('retry-after'), '5');
    const [row] = await pool.db!`select count(*) as posters from posters where name = 'Waits in vain'`;
    assert.equal(row?.['posters'], 0);
  });

  it('gets PAYMENT_PENDING once its payment is claimed, and pays once', async () => {
    const project = await openProject(world, { entryFeeUsdc: FEE_MICRO / 1e6 });
    const agent = await registerAgent(url);
    const intent = await createIntent(url, agent.key, project.id);
    const payer = newPayer();
    await fund(url, payer.address, FUNDS_MICRO / 1e6);
    const ask = (headers: Record<string, string> = {}) =>
      requestUpload(url, { key: agent.key, projectId: project.id, submissionId: intent.id, sizeBytes: 1_000, headers });
    const payment = await signPayment(payer, expectStatus(await ask(), 402));
    const balanceMicro = () => world.service.deps.chain.balanceMicro(payer.address);

    const taken = Promise.withResolvers<() => Promise<void>>();
    afterSettle = async () => taken.resolve(await takeAll());
    const answer = await ask(payment);
    const release = await taken.promise;
    await release();
    expectStatus(answer, 503);
    assert.equal(answer.body.error.code, 'PAYMENT_PENDING');
    assert.ok(Number(answer.headers.get('retry-after')) > 0);
    assert.equal(await balanceMicro(), FUNDS_MICRO - FEE_MICRO, 'the money has moved');

    await until('the payment is known', async () => {
      const again = await ask();
      assert.notEqual(again.status, 402, 'never asked to pay again');
      return again.status === 200;
    });
    assert.equal(await balanceMicro(), FUNDS_MICRO - FEE_MICRO);
    const books = await ledger(world);
    assert.deepEqual([books.problems, books.balanced, books.chain_matches], [[], true, true]);
  });
});
