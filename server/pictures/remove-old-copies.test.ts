import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { migrate } from '../db/migrate.ts';
import { createDiskStorage } from '../storage/disk.ts';
import { StorageError } from '../ports/storage.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { removeOldCopies } from './remove-old-copies.ts';

const folder = await mkdtemp(join(tmpdir(), 'concours-old-copies-'));
after(() => rm(folder, { recursive: true, force: true }));
const { db } = await testDatabase({ last: '0022_delivery.sql' });
const storage = await createDiskStorage({
  folder,
  publicUrl: 'http://127.0.0.1:1',
  signingKey: randomBytes(32),
  clock: { now: () => new Date() },
});

const ids = Array.from({ length: 150 }, () => randomUUIDv7());
const pending = randomUUIDv7();
const names = ['image', 'thumbnail'].flatMap((name) => ids.map((id) => `copies/${id}/${name}.webp`));
const left = async () => (await Promise.all(names.map((name) => storage.head(name)))).filter(Boolean).length;

it('copies in full size of earlier versions are removed, by several processes and after a failure', async () => {
  // Only the rows of the pictures matter here.
  await db.unsafe('alter table media_files disable trigger all');
  for (const id of [...ids, pending])
    await db`
      insert into media_files (id, submission_id, upload_key, original_key, original_name, content_type, size_bytes, status,
        created_at, expires_at, completed_at, sha256, width, height)
      values (${id}, ${randomUUIDv7()}, ${`uploads/${id}`}, ${`originals/${id}`}, 'a.png', 'image/png', 1,
        ${id === pending ? 'superseded' : 'completed'}, now(), now(), now(), '', 100, 100)`;
  await migrate(db);
  for (const name of names) await storage.write(name, Buffer.from('a copy in full size'), 'image/webp');
  const preview = `previews/${ids[0]}/plain-image.webp`;
  await storage.write(preview, Buffer.from('a preview'), 'image/webp');

  let removed = 0;
  const failing = {
    ...storage,
    remove: async (key: string) => {
      if (++removed > 250) throw new StorageError('gone');
      await storage.remove(key);
    },
  };
  const { signal } = new AbortController();
  await assert.rejects(removeOldCopies({ db, storage: failing }, signal), StorageError);
  assert.equal(await left(), 50);
  await removeOldCopies({ db, storage }, AbortSignal.abort());
  assert.equal(await left(), 50, 'a stopping process removes nothing more');
  await Promise.all([removeOldCopies({ db, storage }, signal), removeOldCopies({ db, storage }, signal)]);
  assert.equal(await left(), 0);
  assert.equal((await db`select 1 from old_copies`).length, 0);
  assert.ok(await storage.head(preview));
});
