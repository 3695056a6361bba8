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

test('an agent that has had no turn comes before all that have had one', async () => {
  const { started, run, endOne } = works(1);
  const all = ['a', 'b'].flatMap((agent) => [run(agent, `${agent} 1`), run(agent, `${agent} 2`)]);
  for (let turns = 0; turns < 2; turns += 1) await endOne();
  assert.deepEqual(started, ['a 1', 'b 1', 'a 2']);
  all.push(run('new', 'new'));
  for (let left = 3; left > 0; left -= 1) await endOne();
  await Promise.all(all);
  assert.deepEqual(started, ['a 1', 'b 1', 'a 2', 'new', 'b 2']);
});

test('a group of new agents delays neither the first nor the last of them', async () => {
  const { started, run, endOne } = works(1);
  const all = ['running', 'early', ...Array.from({ length: 20 }, (_, index) => `group ${index}`), 'late'].map((agent) =>
    run(agent, agent),
  );
  for (let turns = 0; turns < 2; turns += 1) await endOne();
  assert.deepEqual(started, ['running', 'late', 'early']);
  for (let left = 21; left > 0; left -= 1) await endOne();
  assert.equal((await Promise.all(all)).length, 23);
});

test('runs as many works at once as it may, and goes on after a failure', async () => {
  const { queue, started, run, endOne } = works(2);
  const failing = queue.run('a', () => Promise.reject(new Error('damaged')));
  const all = [run('b', 'b'), run('c', 'c'), run('d', 'd')];
  await assert.rejects(failing, /damaged/);
  await new Promise(setImmediate);
  assert.deepEqual(started, ['b', 'c']);
  for (let left = 3; left > 0; left -= 1) await endOne();
  await Promise.all(all);
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

test('a work that ends its turn early goes on beside the next one, and few of them do', async () => {
  const queue = createFairQueue({ turns: 1, unfinished: 2, maxWaiting: 10 });
  const started: string[] = [];
  const storing = Promise.withResolvers<void>();
  const all = ['a', 'b', 'c'].map((agent) =>
    queue.run(agent, async (endTurn) => {
      started.push(agent);
      endTurn();
      endTurn();
      await storing.promise;
    }),
  );
  await new Promise(setImmediate);
  assert.deepEqual(started, ['a', 'c'], 'the bytes of the third one are not read yet');
  storing.resolve();
  await Promise.all(all);
  assert.deepEqual(started, ['a', 'c', 'b']);
});

test('an agent has no more turns at once than it may', async () => {
  const { started, run, endOne } = works(3, { turnsOfAgent: 1 });
  const all = [run('greedy', 'greedy 1'), run('greedy', 'greedy 2'), run('honest', 'honest')];
  await new Promise(setImmediate);
  assert.deepEqual(started, ['greedy 1', 'honest']);
  await endOne();
  assert.deepEqual(started, ['greedy 1', 'honest', 'greedy 2']);
  for (let left = 2; left > 0; left -= 1) await endOne();
  await Promise.all(all);
});

test('an agent has no more waiting works than it may, and others still have room', async () => {
  const { started, run, endOne } = works(1, { maxWaitingOfAgent: 2 });
  const all = [run('greedy', 'running'), run('greedy', 'greedy 1'), run('greedy', 'greedy 2')];
  await assert.rejects(run('greedy', 'greedy 3'), InspectorBusy);
  all.push(run('honest', 'honest'));
  for (let left = 4; left > 0; left -= 1) await endOne();
  await Promise.all(all);
  assert.deepEqual(started, ['running', 'honest', 'greedy 1', 'greedy 2']);
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
