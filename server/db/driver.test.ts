import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { Queue } from './driver.ts';
import { createPool } from './pool.ts';
import { testDatabase } from '../../test/support/test-database.ts';

const { url } = await testDatabase();

it('a queue gives back in order what it was given, and forgets what was taken out', () => {
  const steps = fc.array(
    fc.record({ step: fc.constantFrom('push', 'shift', 'remove'), item: fc.integer({ min: 0, max: 9 }) }),
    { maxLength: 200 },
  );
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 9 })), steps, (initial, taken) => {
      const queue = new Queue(initial);
      let expected = [...initial];
      for (const { step, item } of taken) {
        if (step === 'push') {
          assert.equal(queue.push(item), item);
          expected.push(item);
        } else if (step === 'shift') {
          assert.equal(queue.shift(), expected[0]);
          expected = expected.slice(1);
        } else {
          const place = expected.indexOf(item);
          assert.equal(queue.remove(item), place === -1 ? null : item);
          if (place !== -1) expected.splice(place, 1);
        }
        assert.equal(queue.length, expected.length);
      }
    }),
  );
});

it('the driver keeps its connections in such queues', async () => {
  const db = createPool({ url, connections: 3 });
  const queues = new Set<unknown>();
  const options = { onexecute: (connection: { queue: unknown }) => queues.add(connection.queue) };
  await db.unsafe('select 1', [], options as object);
  await Promise.all(Array.from({ length: 6 }, () => db.unsafe('select pg_sleep(0.05)', [], options as object)));
  assert.ok(queues.size > 1);
  for (const queue of queues) assert.ok(queue instanceof Queue);
  await db.end();
});

it('of connections that wait, the one used last is next, and work for all of them goes to all', async () => {
  const db = createPool({ url, connections: 3 });
  const backend = async () => (await db<[{ pid: number }]>`select pg_backend_pid() as pid, pg_sleep(0.05)`)[0].pid;
  const together = async () => new Set(await Promise.all([backend(), backend(), backend()]));
  assert.equal((await together()).size, 3);
  const one = await backend();
  for (let asked = 0; asked < 6; asked += 1) assert.equal(await backend(), one);
  assert.equal((await together()).size, 3);
  await db.end();
});
