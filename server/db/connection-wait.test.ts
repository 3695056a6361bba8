import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase } from '../../test/support/test-database.ts';
import { connectionWaitMs } from './connection-wait.ts';
import { createPool } from './pool.ts';
import { withTransaction } from './transaction.ts';

const { url } = await testDatabase();

it('measures how long transactions wait for a connection while others hold all of them', async () => {
  const db = createPool({ url, connections: 2 });
  const end = Promise.withResolvers<void>();
  const held = [1, 2].map(() => {
    const { promise: started, resolve } = Promise.withResolvers<void>();
    const work = withTransaction(db, async (tx) => {
      await tx`select 1`;
      resolve();
      await end.promise;
    });
    return { started, work };
  });
  await Promise.all(held.map(({ started }) => started));
  assert.equal(connectionWaitMs(db), 0);
  const waiting = withTransaction(db, async (tx) => void (await tx`select 1`));
  await sleep(120);
  assert.ok(connectionWaitMs(db) >= 100);
  end.resolve();
  await Promise.all([...held.map(({ work }) => work), waiting]);
  assert.equal(connectionWaitMs(db), 0);
  await assert.rejects(withTransaction(db, (tx) => tx`select 1 / 0`));
  assert.equal(connectionWaitMs(db), 0);
  await db.end();
});

it('measures nothing while there is no database', async () => {
  const db = createPool({ url: 'postgres://127.0.0.1:1/none', connections: 1 });
  const failing = [1, 2, 3].map(() => withTransaction(db, (tx) => tx`select 1`));
  assert.equal(connectionWaitMs(db), 0);
  for (const { status } of await Promise.allSettled(failing)) assert.equal(status, 'rejected');
  assert.equal(connectionWaitMs(db), 0);
  await db.end({ timeout: 1 });
});
