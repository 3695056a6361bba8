import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { StorageError, type Storage, type UploadGrant } from '../../../server/storage/types.ts';

export type StorageUnderTest = {
  storage: Storage;
  /** Lets the store's own clock run on: a fake one, or (a store that is not ours) the real one. */
  passSeconds(seconds: number): Promise<void>;
  close(): Promise<void>;
};

/** The duties of every driver, over real HTTP. Keys are below a prefix of the run, so that a bucket can be used again. */
export function storageSuite(
  driver: string,
  make: () => Promise<StorageUnderTest>,
  skip: string | false = false,
): void {
  describe(`storage: ${driver}`, { skip }, () => {
    let made: StorageUnderTest;
    let storage: Storage;
    const prefix = `suite/${process.pid}-${process.hrtime.bigint()}`;
    const body = Buffer.from('a picture, as far as a store can tell');
    const grant = (key: string, more: Partial<UploadGrant> = {}): UploadGrant => ({
      key: `${prefix}/${key}`,
      contentType: 'image/png',
      sizeBytes: body.length,
      expiresInSeconds: 1800,
      ...more,
    });

    /** The head of an object without its time, which must be that of the last write. */
    async function headOf(key: string) {
      const found = await storage.head(key);
      assert.ok(found && Math.abs(found.modifiedAt.getTime() - Date.now()) < 60_000, String(found?.modifiedAt));
      return { sizeBytes: found.sizeBytes, contentType: found.contentType };
    }

    before(async () => {
      made = await make();
      storage = made.storage;
    });
    after(() => made.close());

    test('a presigned URL accepts the upload, and head and read return it', async () => {
      const asked = grant('round-trip.png');
      assert.equal(await storage.head(asked.key), null);
      const url = await storage.presignUpload(asked);
      // The same URL replaces an earlier upload.
      for (const bytes of [Buffer.from(body.toReversed()), body]) {
        const answer = await put(url, bytes);
        assert.equal(answer.status, 200, await answer.text());
        assert.match(answer.headers.get('etag') ?? '', /^"[0-9a-f]+"$/);
      }
      assert.deepEqual(await headOf(asked.key), { sizeBytes: body.length, contentType: 'image/png' });
      assert.deepEqual(await storage.read(asked.key, body.length), body);
      await storage.remove(asked.key);
      assert.equal(await storage.head(asked.key), null);
    });

    test('20 MB arrive byte for byte', async () => {
      const large = Buffer.alloc(20 * 1024 * 1024);
      for (let at = 0; at < large.length; at += 4) large.writeUInt32LE((at * 2654435761) >>> 0, at);
      const asked = grant('large.webp', { contentType: 'image/webp', sizeBytes: large.length });
      assert.equal((await put(await storage.presignUpload(asked), large, 'image/webp')).status, 200);
      assert.ok(large.equals((await storage.read(asked.key, large.length))!));
      await storage.remove(asked.key);
    });

    test('a missing object is null, and removing it succeeds', async () => {
      assert.equal(await storage.head(`${prefix}/nothing.png`), null);
      assert.equal(await storage.read(`${prefix}/nothing.png`, 100), null);
      await storage.remove(`${prefix}/nothing.png`);
    });

    test('write replaces bytes and type', async () => {
      const key = `${prefix}/written`;
      await storage.write(key, body, 'image/png');
      await storage.write(key, Buffer.from('other'), 'image/jpeg');
      assert.deepEqual(await headOf(key), { sizeBytes: 5, contentType: 'image/jpeg' });
      assert.equal(String(await storage.read(key, 5)), 'other');
      await storage.write(key, Buffer.alloc(0), 'image/jpeg');
      assert.deepEqual(await headOf(key), { sizeBytes: 0, contentType: 'image/jpeg' });
      assert.deepEqual(await storage.read(key, 0), Buffer.alloc(0));
    });

    test('the version of an object changes when other bytes replace it, and can be asked for', async () => {
      const key = `${prefix}/versions`;
      const versions = [];
      for (const text of ['one', 'two', 'six']) {
        await storage.write(key, Buffer.from(text), 'image/png');
        versions.push((await storage.head(key))?.version, (await storage.head(key))?.version);
      }
      assert.equal(new Set(versions).size, 3);
      assert.ok(versions.every(Boolean));
      assert.equal(String(await storage.read(key, 3, versions.at(-1))), 'six');
      assert.equal(await storage.read(key, 3, versions[0]), null);
    });

    test('an upload that differs in type, length or method is refused and stores nothing', async () => {
      const asked = grant('refused.png');
      const url = await storage.presignUpload(asked);
      const longer = Buffer.concat([body, Buffer.from('!')]);
      const attempts: Record<string, () => Promise<number>> = {
        'another type': async () => (await put(url, body, 'image/jpeg')).status,
        'a type with parameters': async () => (await put(url, body, 'image/png; charset=utf-8')).status,
        'no type': () => rawPut(url, [`Content-Length: ${body.length}`], body),
        'one byte more': async () => (await put(url, longer)).status,
        'one byte less': async () => (await put(url, body.subarray(1))).status,
        'no body': async () => (await put(url, Buffer.alloc(0))).status,
        'an unknown length': () =>
          rawPut(url, ['Content-Type: image/png', 'Transfer-Encoding: chunked'], chunked(body)),
        POST: async () => (await put(url, body, 'image/png', 'POST')).status,
        DELETE: async () => (await fetch(url, { method: 'DELETE' })).status,
        GET: async () => (await fetch(url)).status,
      };
      for (const [what, attempt] of Object.entries(attempts)) {
        const status = await attempt();
        assert.ok(status >= 400 && status < 500, `${what}: ${status}`);
        assert.equal(await storage.head(asked.key), null, what);
      }
      assert.equal((await put(url, body)).status, 200, 'the URL itself was good');
    });

    test('a changed URL is refused and stores nothing', async () => {
      const asked = grant('changed.png');
      const url = await storage.presignUpload(asked);
      const otherKey = url.replace('/changed.png', '/changed-too.png');
      assert.equal((await put(otherKey, body)).status, 403);
      assert.equal(await storage.head(`${prefix}/changed-too.png`), null);
      for (const [name, value] of new URL(url).searchParams)
        for (const changed of [`${value}0`, value.slice(0, -1), null]) {
          const edited = new URL(url);
          if (changed === null) edited.searchParams.delete(name);
          else edited.searchParams.set(name, changed);
          const { status } = await put(edited.href, body);
          assert.ok(status >= 400 && status < 500, `${name}=${changed}: ${status}`);
        }
      assert.equal((await fetch(url.split('?')[0]!, { method: 'PUT', body })).status, 403);
      assert.equal(await storage.head(asked.key), null);
    });

    test('an expired URL is refused and stores nothing', async () => {
      const asked = grant('expired.png', { expiresInSeconds: 2 });
      const url = await storage.presignUpload(asked);
      await made.passSeconds(3);
      assert.equal((await put(url, body)).status, 403);
      assert.equal(await storage.head(asked.key), null);
    });

    test('a body that ends early stores nothing, and bytes after the declared length are never stored', async () => {
      const headers = ['Content-Type: image/png', `Content-Length: ${body.length}`];
      const [short, long] = [grant('short.png'), grant('long.png')];
      await rawPut(await storage.presignUpload(short), headers, body.subarray(0, 10));
      assert.equal(await storage.head(short.key), null);
      const longer = Buffer.concat([body, Buffer.alloc(100_000, 'x')]);
      await rawPut(await storage.presignUpload(long), headers, longer);
      const found = await storage.read(long.key, 1_000_000);
      if (found !== null) assert.deepEqual(found, body);
    });

    test('read stops at its limit', async () => {
      const key = `${prefix}/limited`;
      await storage.write(key, body, 'image/png');
      await assert.rejects(storage.read(key, body.length - 1), StorageError);
      assert.deepEqual(await storage.read(key, body.length), body);
    });

    test('readPart returns the bytes of a part, and fewer at the end of the object', async () => {
      const key = `${prefix}/parts`;
      await storage.write(key, body, 'image/png');
      const part = (from: number, bytes: number) => storage.readPart(key, { from, bytes });
      assert.deepEqual(await part(0, 5), body.subarray(0, 5));
      assert.deepEqual(await part(5, 7), body.subarray(5, 12));
      assert.deepEqual(await part(body.length - 3, 100), body.subarray(-3));
      for (const beyond of [body.length, body.length + 1]) assert.deepEqual(await part(beyond, 10), Buffer.alloc(0));
      assert.equal(await storage.readPart(`${prefix}/no-parts`, { from: 0, bytes: 10 }), null);
    });

    test('concurrent uploads do not mix, and one key ends with one whole upload', async () => {
      const bodies = Array.from({ length: 12 }, (_, index) => Buffer.alloc(200_000, index + 1));
      const shared = await storage.presignUpload(grant('shared.png', { sizeBytes: 200_000 }));
      await Promise.all(
        bodies.map(async (each, index) => {
          const asked = grant(`many-${index}.png`, { sizeBytes: each.length });
          assert.equal((await put(await storage.presignUpload(asked), each)).status, 200);
          assert.equal((await put(shared, each)).status, 200);
          assert.ok(each.equals((await storage.read(asked.key, each.length))!));
        }),
      );
      const winner = (await storage.read(`${prefix}/shared.png`, 200_000))!;
      assert.ok(bodies.some((each) => each.equals(winner)));
    });

    test('unusual keys do not collide', async () => {
      const keys = ['a', 'a/b', 'a/b/c', 'a-b', 'a_b', 'a.b', 'a..b', '-', '_', 'x.tmp', 'a/b.json', 'k'.repeat(120)];
      for (const key of keys) await storage.write(`${prefix}/${key}`, Buffer.from(key), 'image/png');
      for (const key of keys) assert.equal(String(await storage.read(`${prefix}/${key}`, 200)), key);
      const viaUrl = grant('a..b');
      assert.equal((await put(await storage.presignUpload(viaUrl), body)).status, 200);
      assert.deepEqual(await storage.read(viaUrl.key, 1000), body);
    });

    test('every method refuses an invalid key', async () => {
      const keys = [
        '', '/', '/a', 'a/', 'a//b', '.', '..', '../a', 'a/../b', 'a/./b', '.hidden', 'A', 'ä', 'a b', 'a+b', 'a%2e', 'a\\b',
        'a\0', 'a\n', 'C:a', '__proto__/..', 'k'.repeat(201),
      ]; // prettier-ignore
      for (const key of keys) {
        await assert.rejects(storage.presignUpload({ ...grant('x'), key }), StorageError, key);
        await assert.rejects(storage.head(key), StorageError, key);
        await assert.rejects(storage.read(key, 1), StorageError, key);
        await assert.rejects(storage.readPart(key, { from: 0, bytes: 1 }), StorageError, key);
        await assert.rejects(storage.write(key, body, 'image/png'), StorageError, key);
        await assert.rejects(storage.remove(key), StorageError, key);
      }
    });

    test('a grant that no upload can meet is refused', async () => {
      for (const sizeBytes of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])
        await assert.rejects(storage.presignUpload(grant('x', { sizeBytes })), StorageError);
      for (const contentType of ['', 'image', 'image/png\r\nx: y', 'image/png; a=b', 'IMAGE/PNG']) {
        await assert.rejects(storage.presignUpload(grant('x', { contentType })), StorageError);
        await assert.rejects(storage.write(`${prefix}/x`, body, contentType), StorageError);
      }
      for (const expiresInSeconds of [0, -1, 0.5, 604_801, Number.NaN])
        await assert.rejects(storage.presignUpload(grant('x', { expiresInSeconds })), StorageError);
    });

    test('check passes', () => storage.check());
  });
}

export function put(url: string, body: Buffer, type = 'image/png', method = 'PUT'): Promise<Response> {
  return fetch(url, { method, body: new Uint8Array(body), headers: { 'content-type': type } });
}

/** A PUT with exactly these headers and bytes, then the end of the stream. The status, or 0 when none came. */
export async function rawPut(url: string, headers: string[], bytes: Buffer): Promise<number> {
  const { host, hostname, port, pathname, search } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const answer: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => answer.push(chunk));
  // A refusal may cut the connection while bytes are still being sent.
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(
    [`PUT ${pathname}${search} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers, '', ''].join('\r\n'),
  );
  socket.end(bytes);
  await closed;
  return Number(/^HTTP\/1\.1 (\d+)/.exec(Buffer.concat(answer).toString('latin1'))?.[1] ?? 0);
}

function chunked(body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
}
