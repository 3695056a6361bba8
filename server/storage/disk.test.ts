import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readdir, rm, utimes } from 'node:fs/promises';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { serve } from '@hono/node-server';
import type { ServerType } from '@hono/node-server';
import { Hono } from 'hono';
import { DomainError } from '../../contract/basics/errors.ts';
import { createDiskStorage } from './disk.ts';
import type { DiskStorage, DiskStorageOptions } from './disk.ts';
import { StorageError } from './types.ts';
import { put, rawPut, storageSuite } from '../../test/support/suites/storage-suite.ts';

const signingKey = Buffer.alloc(32, 7);
const picture = Buffer.alloc(300_000, 'p');
const cleanUps: (() => Promise<void>)[] = [];
after(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp();
});

/** A disk store behind a real server, as the service mounts it; its errors answered with their code. */
async function startDisk(more: Partial<DiskStorageOptions> = {}) {
  const folder = more.folder ?? (await temporaryFolder());
  let now = new Date('2026-01-01T00:00:00Z');
  const app = new Hono();
  app.all('/storage/*', (c) => storage.handleUpload(c.req.raw));
  app.onError((error) => {
    const told = error instanceof StorageError ? new DomainError('STORAGE_ERROR', error.message) : error;
    if (!(told instanceof DomainError)) throw error;
    return Response.json({ code: told.code, message: told.message }, { status: told.status });
  });
  const server = await new Promise<ServerType>((resolve) => {
    const started = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(started));
  });
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = { now: () => now };
  const storage: DiskStorage = await createDiskStorage({ folder, publicUrl, signingKey, clock, ...more });
  cleanUps.push(async () => void server.close());
  const presign = (key: string, sizeBytes = picture.length) =>
    storage.presignUpload({ key, contentType: 'image/png', sizeBytes, expiresInSeconds: 1800 });
  const passSeconds = async (seconds: number) => void (now = new Date(now.getTime() + seconds * 1000));
  return { folder, storage, presign, passSeconds, close: async () => void server.close() };
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'concours-disk-'));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const errorOf = async (answer: Response) => (await answer.json()) as { code: string; message: string };
const leftovers = (folder: string) => readdir(join(folder, 'incoming'));

storageSuite('disk', startDisk);

describe('disk storage', () => {
  test('reports why an upload was refused', async () => {
    const { presign, passSeconds } = await startDisk();
    const url = await presign('uploads/a.png');
    const wrong = await put(url, picture.subarray(1), 'image/jpeg');
    assert.equal(wrong.status, 400);
    assert.deepEqual(await errorOf(wrong), {
      code: 'VALIDATION_ERROR',
      message:
        'Validation failed: Content-Type: must be image/png, as the URL was issued for; ' +
        'Content-Length: must be 300000, as the URL was issued for',
    });
    const forged = await put(url.replace('size=300000', 'size=300001'), picture);
    assert.equal(forged.status, 403);
    const refusal = await errorOf(forged);
    assert.equal(refusal.code, 'UNAUTHORIZED');
    assert.match(refusal.message, /request another one\. It needs no API key\.$/);
    await passSeconds(1800);
    const late = await put(url, picture);
    assert.equal(late.status, 403);
    const { code, message } = await errorOf(late);
    assert.equal(code, 'UPLOAD_URL_EXPIRED');
    assert.match(message, /has expired\. Request a new one/);
  });

  test('no path leads out of the folder', async () => {
    const { folder, presign } = await startDisk();
    const url = await presign('uploads/a.png');
    for (const path of ['/storage/uploads/../../../escaped', '/storage/uploads/%2e%2e%2fescaped', '/storage/uploads/'])
      assert.ok((await rawPut(url.replace('/storage/uploads/uploads/a.png', path), [], picture)) >= 400);
    assert.deepEqual(await readdir(join(folder, 'objects')), []);
  });

  test('a stalled upload and a slow one end with an answer', async () => {
    const stalling = await startDisk({ idleTimeoutMs: 150 });
    assert.equal(await slowPut(await stalling.presign('a'), 10_000), 408);
    const crawling = await startDisk({ idleTimeoutMs: 10_000, overallTimeoutMs: 300 });
    assert.equal(await slowPut(await crawling.presign('a'), 20), 408);
    for (const { folder, storage } of [stalling, crawling]) {
      assert.equal(await storage.head('a'), null);
      assert.deepEqual(await leftovers(folder), []);
    }
  });

  test('exactly the signed length is written, or nothing, whatever the headers say', async () => {
    const { folder, storage, presign } = await startDisk();
    const url = await presign('a', 10);
    const upload = (body: string[]) =>
      storage.handleUpload(
        new Request(url, {
          method: 'PUT',
          body: ReadableStream.from(body.map((chunk) => Buffer.from(chunk))),
          headers: { 'content-type': 'image/png', 'content-length': '10' },
          duplex: 'half',
        }),
      );
    const refused = { code: 'VALIDATION_ERROR', message: /must have 10 bytes; nothing was stored/ };
    for (const body of [['123456789'], ['123456789', 'ab'], ['0123456789', 'a'], ['0123456789ab'], []])
      await assert.rejects(upload(body), refused);
    assert.equal(await storage.head('a'), null);
    assert.deepEqual(await leftovers(folder), []);
    assert.equal((await upload(['01234', '', '56789'])).status, 200);
    assert.equal(String(await storage.read('a', 10)), '0123456789');
  });

  test('after a kill, stored objects stay, and a later start removes partial files', async () => {
    const folder = await temporaryFolder();
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', killedProgram(folder)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: import.meta.dirname,
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const left = await leftovers(folder);
    assert.equal(left.length, 1);
    // For all that another process knows, it is still being written.
    await startDisk({ folder });
    assert.deepEqual(await leftovers(folder), left);
    const before = new Date(Date.now() - 11 * 60_000);
    await utimes(join(folder, 'incoming', left[0]!), before, before);
    const { storage } = await startDisk({ folder });
    assert.deepEqual(await leftovers(folder), []);
    assert.equal(String(await storage.read('done', 100)), 'whole');
    assert.equal(await storage.head('half'), null);
  });

  for (const [call, code] of [
    ['writeFile', 'ENOSPC'],
    ['sync', 'EIO'],
  ] as const)
    test(`${code} at ${call}: STORAGE_ERROR, nothing stored, the client gets its answer`, async () => {
      const { folder, storage, presign } = await startDisk({ openFile: failingOpen(call, code) });
      const answer = await put(await presign('a'), picture);
      assert.equal(answer.status, 502);
      assert.equal((await errorOf(answer)).code, 'STORAGE_ERROR');
      await assert.rejects(storage.write('a', picture, 'image/png'), {
        name: 'StorageError',
        message: new RegExp(code),
      });
      assert.deepEqual(await readdir(join(folder, 'objects')), []);
      assert.deepEqual(await leftovers(folder), []);
    });
});

/** Declares the whole picture, then sends a piece of it every so often. */
async function slowPut(url: string, everyMs: number): Promise<number> {
  const { hostname, port, pathname, search } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  const headers = ['Host: a', 'Connection: close', 'Content-Type: image/png', `Content-Length: ${picture.length}`];
  socket.write([`PUT ${pathname}${search} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
  const size = Math.ceil(picture.length / 1000);
  let sent = 0;
  const timer = setInterval(() => {
    if (sent < picture.length) socket.write(picture.subarray(sent, (sent += size)));
  }, everyMs);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  clearInterval(timer);
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer.toString('latin1'))?.[1]);
}

/** Stores one object, begins a second one, and says so; it never ends by itself. */
function killedProgram(folder: string): string {
  return `
    import { createDiskStorage } from './disk.ts';
    const disk = await createDiskStorage({ folder: ${JSON.stringify(folder)}, publicUrl: 'http://a',
      signingKey: Buffer.alloc(32), clock: { now: () => new Date(0) } });
    await disk.write('done', Buffer.from('whole'), 'image/png');
    const url = await disk.presignUpload({ key: 'half', contentType: 'image/png', sizeBytes: 9, expiresInSeconds: 60 });
    const body = new ReadableStream({ pull(controller) {
      if (body.begun) { process.stdout.write('writing'); return new Promise(() => undefined); }
      body.begun = true;
      controller.enqueue(Buffer.from('half'));
    } }, { highWaterMark: 0 });
    setInterval(() => undefined, 1000);
    const headers = { 'content-type': 'image/png', 'content-length': '9' };
    await disk.handleUpload(new Request(url, { method: 'PUT', body, headers, duplex: 'half' }));
  `;
}

/** The real `open`, whose handles for writing fail at one call. */
function failingOpen(call: 'writeFile' | 'sync', code: string): typeof open {
  const fault = () => Promise.reject(Object.assign(new Error(code), { code, syscall: call }));
  return async (path, flags, mode) => {
    if (flags !== 'wx') return open(path, flags, mode);
    return Object.assign(await open(path, flags, mode), { [call]: fault });
  };
}
