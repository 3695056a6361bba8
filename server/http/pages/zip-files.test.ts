import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { after, describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import { type HttpBindings, serve } from '@hono/node-server';
import { createPartMemory } from '../../pictures/public.ts';
import type { Storage } from '../../ports/storage.ts';
import { type ResponseConnection, hasLeft, sendParts } from './sending.ts';
import { zipOf } from './zip-files.ts';

const MB = 1024 * 1024;
const sizes = [3 * MB + 7, MB, 10, 2 * MB + 65_536, 1, 5 * MB - 1, 4 * MB];
const stored = sizes.map((size) => randomBytes(size));
const files = stored.map((bytes, index) => ({
  key: String(index),
  name: `${index} ☼.png`,
  sizeBytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest(),
  crc32: crc32(bytes),
  modifiedAt: new Date('2026-03-01T12:34:56Z'),
}));

/** The memory that was read into. */
const used = new Set<ArrayBufferLike>();
const storage = {
  readPart: async (key: string, { from, bytes, into }: Parameters<Storage['readPart']>[1]) => {
    assert.ok(into);
    used.add(into.buffer);
    return into.subarray(0, stored[Number(key)]!.copy(into, 0, from, from + bytes));
  },
} as Storage;

const connectionOf = (env: unknown): ResponseConnection => (env as HttpBindings).outgoing;
let sent = { sizeBytes: 0 };
const server = serve({
  port: 0,
  fetch: (_request, env) => {
    const connection = connectionOf(env);
    const { parts, sizeBytes } = zipOf(
      storage,
      files,
      createPartMemory(() => hasLeft(connection)),
    );
    sent = { sizeBytes };
    const { stream } = sendParts(parts, { windowMs: 60_000, leastBytes: 1 }, connection);
    return new Response(stream, { headers: { 'Content-Length': String(sizeBytes) } });
  },
});
await once(server, 'listening');
after(() => server.close());

/** Reads the ZIP. After each chunk, `pause` may hold up the rest. */
async function readZip(pause: (received: number) => Promise<void> | null): Promise<Buffer> {
  const address = server.address();
  assert.ok(typeof address === 'object' && address);
  const [response] = (await once(get({ port: address.port, agent: false }), 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  let received = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    received += chunk.length;
    await pause(received);
  }
  return Buffer.concat(chunks);
}

describe('a ZIP whose parts share memory', () => {
  for (const { client, pause } of [
    { client: 'a fast client', pause: () => null },
    {
      client: 'a client that stops again and again',
      pause: (received: number) => (received % 3 === 0 ? new Promise<void>((done) => setTimeout(done, 2)) : null),
    },
  ])
    it(`has the bytes of every file for ${client}`, async () => {
      used.clear();
      const zip = await readZip(pause);
      assert.equal(zip.length, sent.sizeBytes);
      let at = 0;
      for (const [index, bytes] of stored.entries()) {
        const header = 30 + Buffer.byteLength(files[index]!.name);
        assert.equal(zip.readUInt32LE(at), 0x04034b50);
        assert.equal(zip.readUInt32LE(at + 14), crc32(bytes));
        assert.ok(zip.subarray(at + header, at + header + bytes.length).equals(bytes), `file ${index}`);
        at += header + bytes.length;
      }
      // 24 parts were read.
      assert.ok(used.size <= 12, `${used.size} buffers`);
    });
});
