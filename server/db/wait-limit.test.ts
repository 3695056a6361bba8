import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { testDatabase } from '../../test/support/test-database.ts';
import { createPool, createPools } from './pool.ts';
import { withTransaction } from './transaction.ts';
import { NoConnection } from './wait-limit.ts';
import type { Db } from '../ports/database.ts';

const { url, db: others } = await testDatabase();

/** Runs `work` while transactions hold every connection of a pool, on a clock of timers that only `pass` moves. */
async function whileFull(
  db: Db,
  work: (parts: { pass: (ms: number) => Promise<void>; release: () => Promise<void> }) => Promise<void>,
): Promise<void> {
  const end = Promise.withResolvers<void>();
  const taken = Array.from({ length: db.options.max }, () => Promise.withResolvers<void>());
  const holders = taken.map(({ resolve }) =>
    withTransaction(db, async (tx) => {
      await tx`select 1`;
      resolve();
      await end.promise;
    }),
  );
  await Promise.all(taken.map(({ promise }) => promise));
  const release = async () => {
    end.resolve();
    await Promise.all(holders);
  };
  mock.timers.enable({ apis: ['setInterval'] });
  try {
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const pass = async (ms: number) => {
      // The driver sends a statement one turn after its call.
      await turn();
      mock.timers.tick(ms);
      await turn();
    };
    await work({ pass, release });
  } finally {
    await release();
    mock.timers.reset();
  }
}

/** The state of a promise so far. */
async function stateOf(promise: Promise<unknown>): Promise<unknown> {
  const settled = promise.then(
    () => 'done',
    (error: unknown) => (error instanceof NoConnection ? 'no connection' : error),
  );
  return await Promise.race([settled, new Promise((tell) => setImmediate(tell, 'waiting'))]);
}

describe('a statement without a free connection', () => {
  it('fails after 5 s, and never runs', async () => {
    await others`create table ran (what text)`;
    const db = createPool({ url, connections: 2, limitWait: true });
    await whileFull(db, async ({ pass, release }) => {
      const early = [
        withTransaction(db, (tx) => tx`insert into ran values ('transaction')`),
        db`insert into ran values ('statement')`.execute(),
      ];
      await pass(3_000);
      const late = withTransaction(db, (tx) => tx`insert into ran values ('late')`);
      await pass(1_750);
      assert.deepEqual(await Promise.all([...early, late].map(stateOf)), ['waiting', 'waiting', 'waiting']);
      await pass(250);
      assert.deepEqual(await Promise.all([...early, late].map(stateOf)), ['no connection', 'no connection', 'waiting']);
      await release();
      await late;
    });
    assert.deepEqual([...(await others`select what from ran`)], [{ what: 'late' }]);
    await db.end();
  });

  it('runs for as long as it takes once it has a connection', async () => {
    const db = createPool({ url, connections: 1, limitWait: true });
    await whileFull(db, async ({ pass, release }) => {
      const end = Promise.withResolvers<void>();
      const started = Promise.withResolvers<void>();
      const transaction = withTransaction(db, async (tx) => {
        started.resolve();
        await end.promise;
        return await tx`select 1 as one`;
      });
      await pass(4_000);
      await release();
      await started.promise;
      await pass(20_000);
      end.resolve();
      assert.deepEqual([...(await transaction)], [{ one: 1 }]);
    });
    await db.end();
  });

  it('waits in a pool without the limit, as scripts and migrations need it', async () => {
    const db = createPool({ url, connections: 1 });
    await whileFull(db, async ({ pass, release }) => {
      const waiting = withTransaction(db, (tx) => tx`select 1`);
      await pass(60_000);
      assert.equal(await stateOf(waiting), 'waiting');
      await release();
      await waiting;
    });
    await db.end();
  });

  it('fails in each pool of a process', async () => {
    const pools = createPools({ url, connections: 2, viewConnections: 1, searchConnections: 2, searchTimeoutMs: 500 });
    try {
      for (const db of [pools.db, pools.views, pools.searches])
        await whileFull(db, async ({ pass }) => {
          const fails = assert.rejects(db`select 1`, NoConnection);
          await pass(5_000);
          await fails;
        });
    } finally {
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
    }
  });
});
