import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPool } from '../db/pool.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { takeLane } from './lane-queries.ts';
import { createBroadcastQueue } from './broadcast-queue.ts';
import { joinLane, type Broadcast, type LaneOptions } from './signer-lane.ts';

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
