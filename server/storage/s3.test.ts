import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { StorageError } from './types.ts';
import { createS3Storage } from './s3.ts';
import { storageSuite } from '../../test/support/suites/storage-suite.ts';

const endpoint = process.env['S3_TEST_ENDPOINT'];
const settings = {
  endpoint: endpoint ?? 'http://127.0.0.1:9',
  bucket: process.env['S3_TEST_BUCKET'] ?? 'concours-test',
  region: process.env['S3_TEST_REGION'] ?? 'us-east-1',
  accessKeyId: process.env['S3_TEST_ACCESS_KEY_ID'] ?? 'AKTEST',
  secretAccessKey: process.env['S3_TEST_SECRET_ACCESS_KEY'] ?? 'SKTEST1234567890',
};
const skip = endpoint ? false : 'no S3_TEST_ENDPOINT; `scripts/ceph.sh start FOLDER` starts an S3 and prints one';

test('there is an S3 to test against in CI', { skip: process.env['CI'] ? false : skip }, () => {
  assert.ok(endpoint, 'S3_TEST_ENDPOINT is not set: the S3 driver would go untested');
});

storageSuite(
  's3',
  async () => ({
    storage: createS3Storage(settings),
    // The clock that decides is the S3's own.
    passSeconds: (seconds) => wait(seconds * 1000),
    close: async () => undefined,
  }),
  skip,
);

test('s3: a presigned URL signs type, length, and host', async () => {
  const publicEndpoint = 'https://pictures.example';
  const url = await createS3Storage({ ...settings, publicEndpoint }).presignUpload({
    key: 'uploads/a.png',
    contentType: 'image/png',
    sizeBytes: 10,
    expiresInSeconds: 1800,
  });
  assert.equal(new URL(url).origin, publicEndpoint);
  const query = new URL(url).searchParams;
  assert.equal(query.get('X-Amz-SignedHeaders'), 'content-length;content-type;host');
  assert.equal(query.get('X-Amz-Expires'), '1800');
  assert.deepEqual(
    [...query.keys()].filter((name) => /checksum/i.test(name)),
    [],
  );
});

test('s3: a missing bucket is a fault of the store, not a missing object', { skip }, async () => {
  const storage = createS3Storage({ ...settings, bucket: 'concours-nothing-here' });
  const missing = { name: 'StorageError', message: /the bucket concours-nothing-here does not exist/ };
  await assert.rejects(storage.check(), missing);
  await assert.rejects(storage.head('a'), missing);
  await assert.rejects(storage.read('a', 10), missing);
  await assert.rejects(storage.write('a', Buffer.from('x'), 'image/png'), missing);
});

test('s3: a wrong key is reported as such, and is not in the message', { skip }, async () => {
  const storage = createS3Storage({ ...settings, secretAccessKey: 'canary-secret' });
  const calls = [
    () => storage.check(),
    () => storage.head('a'),
    () => storage.read('a', 10),
    () => storage.remove('a'),
  ];
  for (const call of calls)
    await assert.rejects(call, (error) => {
      assert.ok(error instanceof StorageError);
      assert.match(error.message, /refused \(403 .*look at the key/);
      assert.doesNotMatch(error.message, /canary|AKTEST/);
      return true;
    });
});

/** A store at a server that answers each request for an object by its name, or not at all. */
async function brokenStorage(answers: Record<string, (socket: Socket) => void>) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.on('data', (request) => {
      const [, name = ''] = /^GET \/[^/]+\/(\w+)/.exec(String(request)) ?? [];
      answers[name]?.(socket);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return createS3Storage({ ...settings, endpoint: `http://127.0.0.1:${port}`, timeoutMs: 300 });
}

test('s3: an endpoint that never answers ends with the timeout', async () => {
  const storage = await brokenStorage({});
  await assert.rejects(storage.check(), { name: 'StorageError', message: /no answer in time/ });
  await assert.rejects(storage.head('a'), StorageError);
  await assert.rejects(storage.read('a', 10), StorageError);
  await assert.rejects(storage.write('a', Buffer.from('x'), 'image/png'), StorageError);
  await assert.rejects(storage.remove('a'), StorageError);
});

test('s3: a body that breaks off, stalls, or is longer than asked for is a StorageError', async () => {
  const head = (length: number) =>
    `HTTP/1.1 206 Partial Content\r\nContent-Type: image/png\r\nContent-Length: ${length}\r\n\r\n`;
  const storage = await brokenStorage({
    broken: (socket) => socket.end(`${head(100)}half`),
    stalled: (socket) => socket.write(`${head(100)}half`),
    long: (socket) => socket.write(head(200) + 'x'.repeat(200)),
  });
  for (const [name, message] of [
    ['broken', /could not be reached/],
    ['stalled', /no answer in time/],
    ['long', /more than 100 bytes/],
  ] as const) {
    await assert.rejects(storage.readPart(name, { from: 0, bytes: 100 }), { name: 'StorageError', message });
    await assert.rejects(storage.read(name, 100), { name: 'StorageError', message });
  }
});
