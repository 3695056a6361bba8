import assert from 'node:assert/strict';
import { it, test } from 'node:test';
import pino from 'pino';
import { StorageError, type Storage } from '../storage/types.ts';
import { createPublicCopies } from './public-copies.ts';
import { createPictureTurns } from './decoders.ts';
import { COPY_VARIANTS, type Copies, type StoredOriginal } from './types.ts';
import { InspectorBusy } from './decode-pool.ts';
import { createFairQueue, type FairQueueOptions } from './fair-queue.ts';

const picture = Buffer.from('a picture');
const original: StoredOriginal = {
  markId: '01a1fd79-0000-7000-8000-0000deadbeef',
  key: 'originals/a/b/c',
  contentType: 'image/png',
  sizeBytes: picture.length,
  sha256: Buffer.alloc(32),
};
const rendered = Object.fromEntries(COPY_VARIANTS.map((variant) => [variant, Buffer.from(variant)])) as Copies;

/** Copies over a store in memory. Every id has the same original, and the first `failures` renderings fail. */
function copiesWorld(failures = 0) {
  const objects = new Map<string, Buffer>([[original.key, picture]]);
  const calls = { found: 0, rendered: 0 };
  const warnings: string[] = [];
  const storage = {
    read: async (key) => objects.get(key) ?? null,
    write: async (key, body) => void objects.set(key, body),
  } satisfies Partial<Storage> as unknown as Storage;
  const copies = createPublicCopies({
    storage,
    findOriginal: async () => {
      calls.found += 1;
      return original;
    },
    renderCopies: async () => {
      calls.rendered += 1;
      if (calls.rendered <= failures) throw new StorageError('gone');
      return rendered;
    },
    pictureTurns: createPictureTurns(),
    siteName: 'Concours',
    log: pino({ level: 'warn' }, { write: (line) => void warnings.push((JSON.parse(line) as { msg: string }).msg) }),
  });
  return { copies, objects, calls, warnings };
}

it('copies are rendered once in a process for any number of concurrent requests, and then read from the store', async () => {
  const { copies, objects, calls } = copiesWorld();
  const read = () => Promise.all(COPY_VARIANTS.map((variant) => copies.read('one', variant)));
  for (const all of await Promise.all(Array.from({ length: 20 }, read))) assert.deepEqual(all, Object.values(rendered));
  assert.deepEqual(calls, { found: 1, rendered: 1 });
  const written = [...objects.keys()].filter((key) => key !== original.key);
  assert.deepEqual(written.toSorted(), COPY_VARIANTS.map((variant) => `previews/one/${variant}.webp`).toSorted());
  assert.deepEqual(await read(), Object.values(rendered));
  assert.equal(calls.rendered, 1);
  await copies.read('two', 'marked-image');
  assert.equal(calls.rendered, 2);
});

it('copies are made ahead of any request; a failure is logged, and the next picture is made', async () => {
  const { copies, objects, warnings } = copiesWorld(1);
  copies.prepare('a');
  copies.prepare('b');
  await until(() => objects.has('previews/b/marked-image.webp'));
  assert.deepEqual(warnings, ['copies of a picture could not be made ahead']);
  await copies.stop();
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}

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
  assert.equal((await Promise.all(all)).length, 25);
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
