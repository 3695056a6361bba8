import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBroadcastGate } from './broadcast-gate.ts';
import { type BroadcastQueue, createBroadcastQueue, type Taker } from './broadcast-queue.ts';
import { createPool } from '../../db/pool.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { takeLane } from './lane-queries.ts';
import { joinLane, type Broadcast, type LaneOptions } from './signer-lane.ts';

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

type Work = (nonce: number) => Promise<unknown>;

/** A queue of its own for each lane, with one piece of work for each nonce. */
function createSignerLane(
  options: Pick<LaneOptions<Work, unknown>, 'db' | 'address' | 'holder' | 'readNonce' | 'holdMs'>,
) {
  const queue = createBroadcastQueue<Work, unknown>({ next: () => new Set([0]), windowMs: 0 });
  joinLane<Work, unknown>({
    ...options,
    queue,
    async broadcast(nonce, [work]): Promise<Broadcast<unknown>> {
      try {
        return { kind: 'sent', results: [await work?.(nonce)] };
      } catch (error) {
        return { kind: 'unknown', error };
      }
    },
  });
  return queue;
}

describe('a signer lane', async () => {
  const { db, url } = await testDatabase();
  let next = 0;
  const address = () => `0x${String((next += 1)).padStart(40, '0')}`;

  it('runs one broadcast at a time over several processes, each with the next nonce', async () => {
    const key = address();
    const account = { nonce: 7 };
    const lanes = ['a', 'b', 'c'].map((holder) =>
      createSignerLane({ db, address: key, holder, readNonce: async () => account.nonce }),
    );
    let running = 0;
    const used: number[] = [];
    const broadcast = async (nonce: number) => {
      running += 1;
      assert.equal(running, 1);
      await db`select 1`;
      assert.equal(nonce, account.nonce);
      account.nonce += 1;
      used.push(nonce);
      running -= 1;
      return nonce;
    };
    await Promise.all(lanes.flatMap((lane) => Array.from({ length: 20 }, () => lane.run(broadcast))));
    assert.deepEqual(
      used,
      Array.from({ length: 60 }, (_, index) => 7 + index),
    );
  });

  it('reads the nonce once while it is held, and again after a failed broadcast', async () => {
    const nonces = [3, 9];
    let reads = 0;
    const lane = createSignerLane({
      db,
      address: address(),
      holder: 'a',
      readNonce: async () => nonces[reads++] ?? NaN,
    });
    const outcomes = await Promise.allSettled([
      lane.run(async (nonce) => nonce),
      lane.run(async (nonce) => nonce),
      lane.run(() => Promise.reject(new Error('nonce too low'))),
      lane.run(async (nonce) => nonce),
    ]);
    const seen = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed'));
    assert.deepEqual(seen, [3, 4, 'failed', 9]);
    assert.equal(reads, 2);
  });

  it('is released when its queue is empty, and taken over when its holder died', async () => {
    const key = address();
    const lane = createSignerLane({ db, address: key, holder: 'a', readNonce: async () => 0 });
    await lane.run(async (nonce) => nonce);
    await lane.run(async (nonce) => nonce);
    while (!(await takeLane(db, key, 'b', 0.2))) await db`select 1`;
    assert.equal(await takeLane(db, key, 'c', 60), false);
    // 'b' never releases it.
    assert.equal(await lane.run(async (nonce) => nonce), 0);
  });

  it('is taken over at once when the connection of its holder has ended', async () => {
    const key = address();
    const holder = createPool({ url, connections: 1 });
    assert.equal(await takeLane(holder, key, 'killed', 60), true);
    assert.equal(await takeLane(db, key, 'b', 60), false);
    await holder.end({ timeout: 1 });
    while (!(await takeLane(db, key, 'b', 60))) await sleep(1);
    assert.equal(await takeLane(db, key, 'c', 60), false);
  });

  it('rejects waiting broadcasts while the database is down, and works again afterwards', async () => {
    const key = address();
    let down = true;
    const flaky = new Proxy(db, {
      apply: (target, self, args) =>
        down ? Promise.reject(new Error('database gone')) : Reflect.apply(target, self, args),
    });
    const lane = createSignerLane({ db: flaky, address: key, holder: 'a', readNonce: async () => 0 });
    const failing = await Promise.allSettled([lane.run(async () => 1), lane.run(async () => 2)]);
    assert.deepEqual(
      failing.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    down = false;
    assert.equal(await lane.run(async () => 3), 3);
  });
});
