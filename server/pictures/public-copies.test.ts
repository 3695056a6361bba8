import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import pino from 'pino';
import sharp from 'sharp';
import { createDiskStorage } from '../storage/disk.ts';
import { StorageError, type Storage } from '../ports/storage.ts';
import { createS3Storage } from '../storage/s3.ts';
import { InspectorBusy } from './decode-pool.ts';
import { createPictureMemory } from './picture-memory.ts';
import { createPublicCopies } from './public-copies.ts';
import { createCopyRenderer } from './public-copies-renderer.ts';
import { draw } from '../../test/support/test-pictures.ts';
import { COPY_VARIANTS, type CopyRenderer, type StoredOriginal } from '../ports/pictures.ts';

const renderer = createCopyRenderer();
after(() => renderer.close());
const folder = await mkdtemp(join(tmpdir(), 'concours-copies-'));
after(() => rm(folder, { recursive: true }));

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
  { row = original, render = renderer.render }: { row?: StoredOriginal | null; render?: CopyRenderer['render'] } = {},
) {
  const { findOriginal, asked } = rows(row);
  const { log, lines } = logger();
  const pictureMemory = createPictureMemory();
  return {
    copies: createPublicCopies({ findOriginal, storage, renderCopies: render, pictureMemory, log }),
    asked,
    lines,
  };
}

const endpoint = process.env['S3_TEST_ENDPOINT'];
const drivers: Record<string, { make: () => Promise<Storage>; skip: string | false }> = {
  disk: {
    make: () =>
      createDiskStorage({
        folder: join(folder, 'storage'),
        publicUrl: 'http://127.0.0.1:1',
        signingKey: randomBytes(32),
        clock: { now: () => new Date() },
      }),
    skip: false,
  },
  s3: {
    make: async () =>
      createS3Storage({
        endpoint: endpoint ?? '',
        bucket: process.env['S3_TEST_BUCKET'] ?? 'concours-test',
        region: process.env['S3_TEST_REGION'] ?? 'us-east-1',
        accessKeyId: process.env['S3_TEST_ACCESS_KEY_ID'] ?? 'AKTEST',
        secretAccessKey: process.env['S3_TEST_SECRET_ACCESS_KEY'] ?? 'SKTEST1234567890',
      }),
    skip: endpoint ? false : 'no S3_TEST_ENDPOINT; `scripts/ceph.sh start FOLDER` starts an S3 and prints one',
  },
};

for (const [driver, { make, skip }] of Object.entries(drivers))
  it(`stores copies: ${driver}`, { skip }, async () => {
    const storage = await make();
    const key = `originals/copies-test/${randomUUIDv7()}`;
    await storage.write(key, picture, 'image/png');
    const { copies } = copiesOf(storage, { row: { ...original, key } });
    const id = randomUUIDv7();
    for (const variant of COPY_VARIANTS) {
      const made = await copies.read(id, variant);
      const stored = await storage.read(`previews/${id}/${variant}.webp`, 1_000_000);
      assert.ok(made && stored && made.equals(stored));
      assert.equal((await storage.head(`previews/${id}/${variant}.webp`))?.contentType, 'image/webp');
      assert.equal((await sharp(made).metadata()).format, 'webp');
    }
    assert.ok((await storage.read(key, 1_000_000))?.equals(picture), 'the original is as it was');
  });

describe('copies', () => {
  it('are rendered once in a process for any number of concurrent requests, and then read from the store', async () => {
    const { storage, written } = memoryStorage();
    let rendered = 0;
    const render: CopyRenderer['render'] = (...given) => {
      rendered += 1;
      return renderer.render(...given);
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

  it('of two processes are equal, and every read returns a whole one', async () => {
    const { storage, objects } = memoryStorage();
    const processes = [copiesOf(storage).copies, copiesOf(storage).copies];
    const [one, other] = await Promise.all(processes.map((copies) => copies.read('one', 'marked-image')));
    assert.ok(one && other && one.equals(other) && one.equals(objects.get('previews/one/marked-image.webp')!));
  });

  it('that were lost are rendered again', async () => {
    const { storage, objects } = memoryStorage();
    const { copies } = copiesOf(storage);
    const before = await copies.read('one', 'plain-thumbnail');
    objects.delete('previews/one/plain-thumbnail.webp');
    assert.ok((await copies.read('one', 'plain-thumbnail'))?.equals(before!));
  });

  it('do not exist without a confirmed picture', async () => {
    const { storage, written } = memoryStorage();
    const { copies } = copiesOf(storage, { row: null });
    assert.equal(await copies.read('one', 'marked-image'), null);
    assert.deepEqual(written, []);
  });

  it('fail while the store fails, and work afterwards', async () => {
    const { storage, state, objects } = memoryStorage();
    const { copies } = copiesOf(storage);
    state.dead = true;
    await assert.rejects(copies.read('one', 'marked-image'), StorageError);
    state.dead = false;
    objects.delete(original.key);
    await assert.rejects(copies.read('one', 'marked-image'), {
      name: 'StorageError',
      message: /original .* is missing/,
    });
    objects.set(original.key, picture);
    assert.ok(await copies.read('one', 'marked-image'));
  });

  it('are refused when too many others are being rendered, unless the picture is one of those', async () => {
    const { storage } = memoryStorage();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const render: CopyRenderer['render'] = async (...given) => {
      await held;
      return await renderer.render(...given);
    };
    const { copies } = copiesOf(storage, { render });
    const waiting = Array.from({ length: 128 }, (_, index) => copies.read(`${index}`, 'marked-image'));
    await assert.rejects(copies.read('one more', 'marked-image'), InspectorBusy);
    const again = copies.read('0', 'plain-thumbnail');
    release();
    assert.ok((await Promise.all(waiting)).every((copy) => copy !== null));
    assert.ok(await again);
    assert.ok(await copies.read('one more', 'marked-image'));
  });
});

describe('copies rendered ahead', () => {
  it('are rendered one after the other, before any request', async () => {
    const { storage, written } = memoryStorage();
    let atOnce = 0;
    let most = 0;
    const render: CopyRenderer['render'] = async (...given) => {
      most = Math.max(most, ++atOnce);
      return await renderer.render(...given).finally(() => (atOnce -= 1));
    };
    const { copies, lines } = copiesOf(storage, { render });
    for (const id of ['a', 'b', 'c']) copies.prepare(id);
    for (const id of ['a', 'b', 'c']) await until(() => written.includes(`previews/${id}/marked-thumbnail.webp`));
    assert.deepEqual([most, written.length, lines], [1, 12, []]);
  });

  it('log a failure, and the next picture is rendered', async () => {
    const { storage, written } = memoryStorage();
    let calls = 0;
    const render: CopyRenderer['render'] = (...given) =>
      ++calls === 1 ? Promise.reject(new StorageError('gone')) : renderer.render(...given);
    const { copies, lines } = copiesOf(storage, { render });
    copies.prepare('a');
    copies.prepare('b');
    await until(() => written.includes('previews/b/marked-thumbnail.webp'));
    assert.deepEqual(
      lines.map(({ msg }) => msg),
      ['copies of a picture could not be made ahead'],
    );
    // The queue is empty by now, so this call starts it again.
    copies.prepare('c');
    await until(() => written.includes('previews/c/marked-thumbnail.webp'));
  });

  it('end at shutdown after the current picture', async () => {
    const { storage, written } = memoryStorage();
    const { copies } = copiesOf(storage);
    for (const id of ['a', 'b', 'c']) copies.prepare(id);
    await copies.stop();
    assert.deepEqual(written.toSorted(), COPY_VARIANTS.map((variant) => `previews/a/${variant}.webp`).toSorted());
    copies.prepare('d');
    await copies.stop();
    assert.equal(written.length, 4);
  });

  it('are limited in number', async () => {
    const { storage } = memoryStorage();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    let rendered = 0;
    const render: CopyRenderer['render'] = async () => {
      rendered += 1;
      await held;
      return {
        'plain-image': picture,
        'plain-thumbnail': picture,
        'marked-image': picture,
        'marked-thumbnail': picture,
      };
    };
    const { copies } = copiesOf(storage, { render });
    for (let index = 0; index < 5_000; index++) copies.prepare(`${index}`);
    release();
    // 1,000 wait and one is in progress. After these, the queue accepts pictures again.
    await until(() => rendered === 1_001);
    copies.prepare('last');
    await until(() => rendered === 1_002);
    await copies.stop();
    assert.equal(rendered, 1_002);
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
