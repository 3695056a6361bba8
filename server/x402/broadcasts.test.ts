import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createBroadcastGate } from './broadcast-gate.ts';
import { type BroadcastQueue, createBroadcastQueue, type Taker } from './broadcast-queue.ts';

/** A queue with lanes that send what they find when they are woken. Tells which lane sent each call. */
function queueWith(names: string[]) {
  const queue: BroadcastQueue<string, string> = createBroadcastQueue({ next: () => new Set([0]), windowMs: 0 });
  const states = new Map<string, ReturnType<Taker['state']>>();
  const resting = new Set<string>();
  for (const name of names)
    queue.join({
      state: () => states.get(name) ?? 'idle',
      rests: () => resting.has(name),
      wake: () => void queue.take().then((jobs) => jobs.forEach((job) => job.sent(name))),
    });
  return { queue, states, resting };
}

describe('the lanes of a process', () => {
  it('take turns, so that idle keys share the work', async () => {
    const { queue } = queueWith(['one', 'two', 'three']);
    const senders: string[] = [];
    for (let call = 0; call < 6; call += 1) senders.push(await queue.run('a call'));
    assert.deepEqual(senders, ['one', 'two', 'three', 'one', 'two', 'three']);
  });

  it('leave out a lane that waits for its turn in another process, and one without gas', async () => {
    const { queue, states, resting } = queueWith(['one', 'two', 'three']);
    states.set('one', 'busy');
    resting.add('three');
    assert.deepEqual([await queue.run('a call'), await queue.run('another')], ['two', 'two']);
    states.delete('one');
    resting.clear();
    // The lane that was used last is asked last.
    const senders = [await queue.run('a call'), await queue.run('a call'), await queue.run('a call')];
    assert.deepEqual(senders, ['one', 'three', 'two']);
  });

  it('wake no other one while one of them will look at the queue', async () => {
    const { queue, states } = queueWith(['one', 'two']);
    states.set('one', 'free');
    const sending = queue.run('a call');
    for (const job of await queue.take()) job.sent('one');
    assert.equal(await sending, 'one');
  });
});

describe('a broadcast gate', () => {
  it('lets no broadcast through before it is opened, and every one afterwards', async () => {
    const gate = createBroadcastGate(60_000);
    const passed: string[] = [];
    const first = gate.pass().then(() => passed.push('first'));
    await gate.reached;
    assert.deepEqual(passed, []);
    assert.equal(gate.open(), true);
    await first;
    await gate.pass();
    assert.equal(gate.open(), true);
  });

  it('stays closed when it was not opened in time', async () => {
    const gate = createBroadcastGate(5);
    await assert.rejects(gate.pass(), /not asked for in time/);
    assert.equal(gate.open(), false);
    await assert.rejects(gate.pass(), /not asked for in time/);
  });

  it('counts its time from the moment it is reached', async () => {
    const gate = createBroadcastGate(5);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(gate.open(), true);
  });
});
