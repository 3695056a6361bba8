import assert from 'node:assert/strict';
import { createHash, hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { MAX_FILE_BYTES } from '../../contract/projects/submissions.ts';
import { codeIs, entriesOf } from '../support/clients/entries.ts';
import { call } from '../support/clients/client.ts';
import {
  brief,
  confirm,
  expectStatus,
  openProject,
  putPicture,
  registerPoster,
  requestUpload,
  testPicture,
} from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import type { World } from '../../server/deps.ts';

// Tests two, and then very many, concurrent confirmations of uploads.

type Gate = { reached: Promise<void>; arrive: () => void; opened: Promise<void>; open: () => void };

function gate(): Gate {
  const [arrival, opening] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return { reached: arrival.promise, arrive: arrival.resolve, opened: opening.promise, open: opening.resolve };
}

/** Each write of an original stops at the next of these gates. */
const writes: Gate[] = [];
const reading = { bytes: 0, most: 0, held: null as Gate | null };

function slow({ storage }: World): Partial<World> {
  return {
    storage: {
      ...storage,
      async write(key, body, contentType) {
        const stop = key.startsWith('originals/') ? writes.shift() : undefined;
        stop?.arrive();
        await stop?.opened;
        await storage.write(key, body, contentType);
      },
      async read(key, maxBytes) {
        if (!reading.held) return await storage.read(key, maxBytes);
        reading.bytes += maxBytes;
        reading.most = Math.max(reading.most, reading.bytes);
        await reading.held.opened;
        reading.bytes -= maxBytes;
        return null;
      },
    },
  };
}

const world = await startWorld({ wrap: slow, connections: 10 });
const { url, folder, service, clock } = world;
const { db } = service.deps;
const { enter } = entriesOf(world);
const project = await openProject(world, { entryFeeUsdc: 0 });

const originals = async () =>
  (await readdir(join(folder, 'storage', 'objects'))).filter((name) => name.startsWith('originals'));

describe('a confirmed picture', () => {
  it('is the judged one, whatever the agent uploads and confirms meanwhile', async () => {
    const first = await testPicture(1);
    // It has the length of the first picture, so that the same URL accepts it.
    const other = await sameLength(first.length);
    const entry = await enter(project.id);
    const { data } = (await requestUpload(url, { ...entry, sizeBytes: first.length })).body;
    const stop = gate();
    writes.push(stop);

    assert.equal(await putPicture(data.uploadUrl, first), 200);
    const winner = confirm(url, entry.key, project.id, entry.submissionId);
    await stop.reached;
    assert.equal(await putPicture(data.uploadUrl, other), 200);
    const joined = confirm(url, entry.key, project.id, entry.submissionId);
    // The joining request has recorded nothing new, and a third one has been answered: all have come as far as they can.
    codeIs(await requestUpload(url, entry), 409, 'SUBMISSION_ALREADY_EXISTS', /being confirmed/);
    stop.open();
    assert.equal((await winner).status, 200);
    // The second request joined the first one's inspection, or came after its end.
    const second = await joined;
    if (second.status !== 200) codeIs(second, 404, 'MEDIA_FILE_NOT_FOUND', /already confirmed/);

    const [file] = await db<{ key: string; sha256: Buffer }[]>`
      select original_key as key, sha256 from media_files where submission_id = ${entry.submissionId} and status = 'completed'`;
    const kept = await service.deps.storage.read(file!.key, MAX_FILE_BYTES);
    assert.equal(createHash('sha256').update(kept!).digest('hex'), file!.sha256.toString('hex'));
    assert.deepEqual(kept, first);
    assert.equal((await originals()).length, 1, 'what was not entered is not kept');
  });
});

it('a reference picture is the confirmed one, whatever an inspection without its lease writes later', async () => {
  const { key } = await registerPoster(url);
  const drafts = '/posters/me/projects';
  const draft = expectStatus(await call(url, 'POST', drafts, { key, body: brief() }), 201).body.data.project;
  const path = `${drafts}/${draft.id}/references`;
  const first = await testPicture(1);
  const other = await sameLength(first.length);
  const body = { fileName: 'ours.png', fileType: 'image/png', fileSize: first.length };
  const { upload_url, reference } = expectStatus(await call(url, 'POST', path, { key, body }), 201).body.data;
  const attach = () => call(url, 'POST', `${path}/${reference.id}/confirm`, { key });
  const stop = gate();
  writes.push(stop);
  assert.equal(await putPicture(upload_url, first), 200);
  const late = attach();
  await stop.reached;
  clock.offsetMs += 31_000;
  assert.equal(await putPicture(upload_url, other), 200);
  const attached = expectStatus(await attach(), 200).body.data.reference;
  stop.open();
  codeIs(await late, 503, 'CONFIRMATION_PENDING');
  const kept = (await originals()).filter((name) => name.includes(reference.id));
  assert.equal(kept.length, 1, 'what was not confirmed is not kept');
  const bytes = await readFile(join(folder, 'storage', 'objects', kept[0]!));
  assert.equal(hash('sha256', bytes.subarray(0, other.length)), attached.picture.sha256);
  assert.deepEqual(bytes.subarray(0, other.length), other);
});

describe('concurrent confirmations of large pictures', () => {
  it('never hold more memory than the process has room for', async () => {
    const entries = await Promise.all(Array.from({ length: 12 }, () => enter(project.id)));
    for (const entry of entries)
      assert.equal((await requestUpload(url, { ...entry, sizeBytes: MAX_FILE_BYTES })).status, 200);
    for (const { submissionId } of entries) {
      const [{ key } = { key: '' }] = await db<{ key: string }[]>`
        select upload_key as key from media_files where submission_id = ${submissionId}`;
      await service.deps.storage.write(key, Buffer.from('placeholder'), 'image/png');
    }
    reading.held = gate();
    const answers = entries.map(({ key, submissionId }) => confirm(url, key, project.id, submissionId));
    // A later confirmation has been answered, so all others have come as far as they can.
    const probe = await enter(project.id);
    codeIs(await confirm(url, probe.key, project.id, probe.submissionId), 404, 'MEDIA_FILE_NOT_FOUND');
    assert.ok(reading.bytes >= MAX_FILE_BYTES);
    reading.held.open();
    for (const answer of await Promise.all(answers)) codeIs(answer, 404, 'FILE_NOT_FOUND');
    assert.ok(reading.most <= 128 * 1024 * 1024, `${reading.most} bytes at once`);
  });
});

/** Returns a different picture with exactly this number of bytes. */
async function sameLength(sizeBytes: number): Promise<Buffer<ArrayBuffer>> {
  for (let seed = 2; seed < 500; seed += 1) {
    const candidate = await testPicture(seed);
    if (candidate.length === sizeBytes) return candidate;
  }
  throw new Error(`no test picture has ${sizeBytes} bytes`);
}
