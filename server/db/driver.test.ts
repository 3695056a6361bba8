import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { Queue } from './driver.ts';
import { createPool } from './pool.ts';
import { testDatabase } from './test-database.ts';

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
