import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { MAX_FILE_BYTES } from '../../contract/projects/submissions.ts';
import { type Answer, call } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { codeIs, type Entry, entriesOf, picture } from '../support/clients/entries.ts';
import { expectStatus, openProject, putPicture, registerAgent, testPicture } from '../support/clients/journey.ts';
import { draw, jpegOfScans, withPngChunk, withPngSize } from '../support/test-pictures.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld({
  env: { LIMIT_PREFLIGHTS_PER_HOUR: '1000', LIMIT_AGENT_OPERATIONS_PER_HOUR: '1000' },
});
const { url, folder, service, errors } = world;
const { db } = service.deps;
const { enter, confirmOf } = entriesOf(world);
const project = await openProject(world, { entryFeeUsdc: 0 });

type Sent = { type?: string; query?: string; headers?: Record<string, string> };

async function preflight(
  key: string,
  bytes: Uint8Array<ArrayBuffer>,
  { type = 'image/png', query = '', headers = {} }: Sent = {},
): Promise<Answer> {
  const sent = { 'content-type': type, ...headers };
  return await call(url, 'POST', `/agents/preflight${query}`, { key, raw: bytes, headers: sent });
}

async function uploadFree({ key, projectId, submissionId }: Entry, bytes: Buffer<ArrayBuffer>, fileType: string) {
  const body = { fileName: 'entry.png', fileType, fileSize: bytes.length };
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  const path = `/agents/projects/${projectId}/submissions/${submissionId}`;
  const { data } = expectStatus(await call(url, 'POST', path, { key, body, headers }), 200).body;
  assert.equal(await putPicture(data.uploadUrl, bytes, fileType), 200);
}

const bytesOf = (buffer: Buffer): Buffer<ArrayBuffer> => Buffer.from(buffer);
const [png, jpeg] = [await testPicture(3), await testPicture(3, 'jpeg')];
const narrow = { create: { width: 99, height: 200, channels: 3, background: 'red' } } as const;

const unacceptable: Record<string, { bytes: Buffer<ArrayBuffer>; type?: string }> = {
  'a text': { bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
  'a GIF': { bytes: Buffer.from('GIF89a, and no more') },
  'no picture': { bytes: Buffer.alloc(500, 7) },
  'of another type': { bytes: jpeg },
  'cut short': { bytes: png.subarray(0, 300) },
  'without a header': { bytes: png.subarray(0, 20) },
  'of a forged size': { bytes: bytesOf(withPngSize(png, 300, 300)) },
  'too small': { bytes: bytesOf(await sharp(narrow).png().toBuffer()) },
  'too large': { bytes: bytesOf(withPngSize(png, 2049, 300)) },
  animated: { bytes: bytesOf(withPngChunk(png, 'acTL', Buffer.alloc(8))) },
  'of too many scans': { bytes: jpegOfScans(101), type: 'image/jpeg' },
};

describe('POST /agents/preflight', () => {
  it('describes an acceptable picture of each type', async () => {
    const { key } = await registerAgent(url);
    for (const format of ['png', 'jpeg', 'webp'] as const) {
      const bytes = bytesOf(await draw(1, 300, 200).toFormat(format).toBuffer());
      const answer = expectStatus(await preflight(key, bytes, { type: `image/${format}` }), 200);
      assert.deepEqual(answer.body.data, {
        ok: true,
        problems: [],
        content_type: `image/${format}`,
        size_bytes: bytes.length,
        width: 300,
        height: 200,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        duplicate: null,
      });
    }
  });

  it('names the size as shown, as a confirmation records it', async () => {
    const { key } = await registerAgent(url);
    const turned = bytesOf(await draw(2, 300, 200).withMetadata({ orientation: 6 }).jpeg().toBuffer());
    const { data } = expectStatus(await preflight(key, turned, { type: 'image/jpeg' }), 200).body;
    assert.deepEqual([data.width, data.height], [200, 300]);
  });

  for (const [name, { bytes, type = 'image/png' }] of Object.entries(unacceptable))
    it(`says of a file that is ${name} what its confirmation says`, async () => {
      const entry = await enter(project.id);
      const { data } = expectStatus(await preflight(entry.key, bytes, { type }), 200).body;
      assert.deepEqual([data.ok, data.problems.length, data.width, data.height], [false, 1, null, null]);
      assert.equal(data.sha256, createHash('sha256').update(bytes).digest('hex'));
      await uploadFree(entry, bytes, type);
      const refused = await confirmOf(entry);
      codeIs(refused, 400, 'VALIDATION_ERROR');
      const [problem] = data.problems;
      const message = `${problem.message}. Request a new upload URL; it costs nothing`;
      assert.deepEqual(refused.body.error.details, [{ field: problem.field, message }]);
    });

  it('reports the type of the bytes themselves, and an empty body as an empty file', async () => {
    const { key } = await registerAgent(url);
    const other = expectStatus(await preflight(key, jpeg), 200).body.data;
    assert.deepEqual([other.ok, other.content_type, other.size_bytes], [false, 'image/jpeg', jpeg.length]);
    const empty = expectStatus(await preflight(key, Buffer.alloc(0)), 200).body.data;
    assert.deepEqual(empty.problems, [{ field: 'file', message: 'the file is empty' }]);
    assert.deepEqual([empty.content_type, empty.size_bytes], [null, 0]);
  });

  it('says whether another agent entered exactly these bytes in the project', async () => {
    const { id } = await openProject(world, { entryFeeUsdc: 0 });
    const [first, second] = [await enter(id), await registerAgent(url)];
    const of = async (key: string, bytes: Uint8Array<ArrayBuffer>, projectId = id) =>
      expectStatus(await preflight(key, bytes, { query: `?project_id=${projectId.toUpperCase()}` }), 200).body.data
        .duplicate;
    await uploadFree(first, png, 'image/png');
    assert.equal(await of(second.key, png), false, 'the entry is not confirmed yet');
    expectStatus(await confirmOf(first), 200);
    assert.equal(await of(second.key, png), true);
    assert.equal(await of(first.key, png), false, 'its own entry is no duplicate');
    assert.equal(await of(second.key, picture), false, 'other bytes');
    assert.equal(await of(second.key, png, project.id), false, 'another project');
  });

  it('knows only projects that the agent can see', async () => {
    const { key } = await registerAgent(url);
    const { id } = await openProject(world);
    await db`update projects set visible_at = now() + interval '1 hour' where id = ${id}`;
    for (const unknown of [id, '01a1fd68-1a1d-7b89-b14d-8a21a36746c2'])
      codeIs(await preflight(key, png, { query: `?project_id=${unknown}` }), 404, 'PROJECT_NOT_FOUND');
    codeIs(await preflight(key, png, { query: '?project_id=7' }), 400, 'INVALID_PARAMETER');
  });

  it('takes nothing but the bytes of a picture', async () => {
    const { key } = await registerAgent(url);
    for (const type of ['application/json', 'image/gif', 'image/svg+xml', 'multipart/form-data; boundary=x', ''])
      codeIs(await preflight(key, png, { type }), 415, 'VALIDATION_ERROR', /Content-Type: must be one of: image\/jpeg/);
    expectStatus(await preflight(key, png, { type: 'IMAGE/PNG; charset=binary' }), 200);
  });

  it('takes 20 MB and not a byte more, with and without a declared length', async () => {
    const { key } = await registerAgent(url);
    const most = expectStatus(await preflight(key, Buffer.alloc(MAX_FILE_BYTES)), 200).body.data;
    assert.equal(most.size_bytes, MAX_FILE_BYTES);
    codeIs(await preflight(key, Buffer.alloc(MAX_FILE_BYTES + 1)), 413, 'VALIDATION_ERROR', /at most 20971520 bytes/);
    const inChunks = (bytes: Uint8Array<ArrayBuffer>): typeof fetch => {
      return async (target, init) => await fetch(target, { ...init, body: new Blob([bytes]).stream(), duplex: 'half' });
    };
    const sent = { key, raw: png, headers: { 'content-type': 'image/png' } };
    const chunked = await call(url, 'POST', '/agents/preflight', { ...sent, fetch: inChunks(png) });
    assert.equal(expectStatus(chunked, 200).body.data.ok, true);
    const endless = { ...sent, fetch: inChunks(Buffer.alloc(MAX_FILE_BYTES + 1)) };
    codeIs(await call(url, 'POST', '/agents/preflight', endless), 413, 'VALIDATION_ERROR');
  });

  it('works for a limited agent and without a payment, and keeps nothing', async () => {
    const { key, id } = await registerAgent(url);
    await db`update agents set status = 'limited' where id = ${id}`;
    const stored = async () => await readdir(join(folder, 'storage', 'objects'), { recursive: true });
    const rows = async () =>
      await db`select (select count(*) from media_files) as files, (select count(*) from submissions) as intents`;
    const before = [await stored(), await rows()];
    expectStatus(await preflight(key, png, { query: `?project_id=${project.id}` }), 200);
    assert.deepEqual([await stored(), await rows()], before);
  });
});

it('the tests received every answer that the operation can give', () => {
  assert.deepEqual(notSeen('preflightPicture'), []);
  assert.deepEqual(errors, []);
});
