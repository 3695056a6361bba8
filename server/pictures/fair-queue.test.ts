import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InspectorBusy } from './decode-pool.ts';
import { createFairQueue, type FairQueueOptions } from './fair-queue.ts';

/** Runs works that end when the test says so, and records the order in which they start. */
function works(turns: number, options: Partial<FairQueueOptions> = {}) {
  const queue = createFairQueue({ turns, maxWaiting: 1_000, ...options });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const run = (agentId: string, name: string, left?: AbortSignal) =>
    queue.run(
      agentId,
      async () => {
        started.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        return name;
      },
      left,
    );
  const endOne = async () => {
    await new Promise(setImmediate);
    ends.shift()?.();
    await new Promise(setImmediate);
  };
  return { queue, started, run, endOne };
}

test('agents take turns, however many works one of them sends', async () => {
  const { started, run, endOne } = works(1);
  const all = [...Array.from({ length: 24 }, (_, index) => run('greedy', `greedy ${index}`)), run('honest', 'honest')];
  await endOne();
  assert.deepEqual(started, ['greedy 0', 'honest']);
  for (let left = 24; left > 0; left -= 1) await endOne();
  assert.deepEqual((await Promise.all(all)).length, 25);
});

test('refuses works beyond its length, and all that wait when it closes', async () => {
  const { queue, run, endOne } = works(1, { maxWaiting: 1 });
  const first = run('a', 'first');
  const second = run('b', 'second');
  await assert.rejects(run('c', 'third'), InspectorBusy);
  queue.close();
  await assert.rejects(second, InspectorBusy);
  await assert.rejects(run('d', 'fourth'), InspectorBusy);
  await endOne();
  assert.equal(await first, 'first');
});

test('a work whose client leaves while it waits never starts, and frees its place', async () => {
  const { started, run, endOne } = works(1, { maxWaiting: 1 });
  const leaving = new AbortController();
  const first = run('a', 'first', leaving.signal);
  const second = run('b', 'second', leaving.signal);
  leaving.abort(new Error('left'));
  await assert.rejects(second, /left/);
  await assert.rejects(run('b', 'late', leaving.signal), /left/);
  const third = run('c', 'third');
  await endOne();
  await endOne();
  assert.deepEqual([await first, await third], ['first', 'third'], 'a work that runs decides itself when it stops');
  assert.deepEqual(started, ['first', 'third']);
});
