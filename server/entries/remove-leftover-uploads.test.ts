import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { test } from 'node:test';
import pino from 'pino';
import { testDatabase } from '../../test/support/test-database.ts';
import { projectsWorld } from '../../test/support/worlds/projects-world.ts';
import { StorageError } from '../ports/storage.ts';
import { removeLeftoverUploads } from './remove-leftover-uploads.ts';

const { db } = await testDatabase();
const world = await projectsWorld(db);
const projectId = await world.published();
const log = pino({ level: 'silent' });
const goOn = new AbortController().signal;

/** Creates uploads, each of its own submission, oldest first. */
async function uploads(status: string, count: number, expiredMs: number): Promise<string[]> {
  const keys: string[] = [];
  for (let place = 0; place < count; place += 1) {
    const [agentId, submissionId, fileId] = [randomUUIDv7(), randomUUIDv7(), randomUUIDv7()];
    const key = `uploads/${fileId}.png`;
    const at = world.at(place - expiredMs);
    await db`
      insert into agents (id, name, description, specializations, settings, created_at, last_active_at)
      values (${agentId}, 'Ada', 'Draws.', '{}', '{}', ${at}, ${at})`;
    await db`
      insert into submissions (id, project_id, agent_id, title, status, created_at)
      values (${submissionId}, ${projectId}, ${agentId}, 'Entry', 'pending', ${at})`;
    await db`
      insert into media_files (id, submission_id, upload_key, original_name, content_type, size_bytes, status, created_at, expires_at)
      values (${fileId}, ${submissionId}, ${key}, 'a.png', 'image/png', 1, ${status}, ${at}, ${at})`;
    keys.push(key);
  }
  return keys;
}

function remover(fails: (key: string) => boolean = () => false) {
  const removed: string[] = [];
  const storage = {
    async remove(key: string) {
      if (fails(key)) throw new StorageError('refused');
      removed.push(key);
    },
  };
  return {
    removed,
    run: (stopping = goOn) => removeLeftoverUploads({ ...world.deps, storage, log } as never, stopping),
  };
}

test('removes inspected, refused, and replaced uploads after their URL expired, and keeps pending ones', async () => {
  const gone = [
    ...(await uploads('completed', 1, 90_000)),
    ...(await uploads('refused', 1, 80_000)),
    ...(await uploads('superseded', 1, 70_000)),
  ];
  await uploads('pending', 1, 90_000);
  await uploads('refused', 1, 50_000);
  const { removed, run } = remover();
  assert.equal(await run(), 3);
  assert.deepEqual(removed, gone);
  assert.equal(await run(), 0);
  await db`update media_files set upload_removed = true`;
});
