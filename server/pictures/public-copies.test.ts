import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it, test } from 'node:test';
import pino from 'pino';
import { StorageError, type Storage } from '../storage/types.ts';
import { createPublicCopies } from './public-copies.ts';
import { createPicturePool, createPictureTurns } from './decoders.ts';
import { createCopyRenderer } from './public-copies-renderer.ts';
import { draw } from '../../test/support/test-pictures.ts';
import { COPY_VARIANTS, type CopyRenderer, type StoredOriginal } from './types.ts';
import { InspectorBusy } from './decode-pool.ts';
import { createFairQueue, type FairQueueOptions } from './fair-queue.ts';

const pool = createPicturePool({ workers: 2 });
after(() => pool.close());
const renderer = createCopyRenderer(pool);

const picture = await draw(1).png().toBuffer();
const original: StoredOriginal = {
  markId: '01a1fd79-0000-7000-8000-0000deadbeef',
  key: 'originals/a/b/c',
  contentType: 'image/png',
  sizeBytes: picture.length,
  sha256: createHash('sha256').update(picture).digest(),
};

/** Returns the same row for every id, and counts the lookups. */
function rows(row: StoredOriginal | null) {
  let asked = 0;
  const findOriginal = async () => {
    asked += 1;
    return row;
  };
  return { findOriginal, asked: () => asked };
}

/** Creates a store in memory that records writes, and that can fail or lose its original. */
function memoryStorage() {
  const objects = new Map<string, Buffer>([[original.key, picture]]);
  const written: string[] = [];
  const state = { dead: false };
  const guard = () => {
    if (state.dead) throw new StorageError('gone');
  };
  const storage: Storage = {
    presignUpload: () => Promise.reject(new Error('not here')),
    head: () => Promise.reject(new Error('not here')),
    async read(key) {
      guard();
      return objects.get(key) ?? null;
    },
    readPart: () => Promise.reject(new Error('not here')),
    async write(key, body) {
      guard();
      written.push(key);
      objects.set(key, body);
    },
    async remove(key) {
      objects.delete(key);
    },
    check: async () => guard(),
  };
  return { storage, objects, written, state };
}

type Lines = { msg: string; level: number }[];

function logger() {
  const lines: Lines = [];
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line) as Lines[number]) });
  return { log, lines };
}

function copiesOf(
  storage: Storage,
  { row = original, render = renderer }: { row?: StoredOriginal | null; render?: CopyRenderer } = {},
) {
  const { findOriginal, asked } = rows(row);
  const { log, lines } = logger();
  return {
    copies: createPublicCopies({
      findOriginal,
      storage,
      renderCopies: render,
      pictureTurns: createPictureTurns(),
      siteName: 'Concours',
      log,
    }),
    asked,
    lines,
  };
}

describe('copies', () => {
  it('are rendered once in a process for any number of concurrent requests, and then read from the store', async () => {
    const { storage, written } = memoryStorage();
    let rendered = 0;
    const render: CopyRenderer = (...given) => {
      rendered += 1;
      return renderer(...given);
    };
    const { copies, asked } = copiesOf(storage, { render });
    const all = await Promise.all(
      Array.from({ length: 50 }, (_, index) => copies.read('one', index % 2 ? 'marked-image' : 'plain-thumbnail')),
    );
    assert.ok(all.every((copy) => copy !== null));
    assert.deepEqual(
      [rendered, asked(), written.toSorted()],
      [1, 1, COPY_VARIANTS.map((variant) => `previews/one/${variant}.webp`).toSorted()],
    );
    await copies.read('one', 'marked-image');
    await copies.read('one', 'plain-thumbnail');
    assert.deepEqual([rendered, asked()], [1, 1]);
    await copies.read('two', 'marked-image');
    assert.equal(rendered, 2);
  });
});

it('copies are made ahead of any request; a failure is logged, and the next picture is made', async () => {
  const { storage, written } = memoryStorage();
  let calls = 0;
  const render: CopyRenderer = (...given) =>
    ++calls === 1 ? Promise.reject(new StorageError('gone')) : renderer(...given);
  const { copies, lines } = copiesOf(storage, { render });
  copies.prepare('a');
  copies.prepare('b');
  await until(() => written.includes('previews/b/marked-image.webp'));
  assert.equal(lines[0]?.msg, 'copies of a picture could not be made ahead');
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
