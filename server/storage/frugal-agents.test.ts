import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get as getPlain, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer, get as getTls } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { makeCertificates } from '../../test/support/webhooks/certificates.ts';
import { createFrugalAgents, freeMemory } from './frugal-agents.ts';

const MB = 1024 * 1024;
const object = randomBytes(MB + 1);
const hashOf = (...pieces: Buffer[]) => {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
};

const answer: RequestListener = (_, response) => {
  response.setHeader('content-length', object.length);
  response.end(object);
};
const { valid } = await makeCertificates(['127.0.0.1']);
const servers = { http: createServer(answer), https: createTlsServer(valid, answer) };
for (const server of Object.values(servers)) await once(server.listen(0, '127.0.0.1'), 'listening');
const { httpAgent, httpsAgent } = createFrugalAgents({ keepAlive: true, maxSockets: 2 });
after(() => {
  for (const end of [httpAgent, httpsAgent]) end.destroy();
  for (const server of Object.values(servers)) server.close();
});

for (const scheme of ['http', 'https'] as const) {
  const { port } = servers[scheme].address() as AddressInfo;
  const get = async () => {
    const request =
      scheme === 'http'
        ? getPlain({ port, host: '127.0.0.1', agent: httpAgent })
        : getTls({ port, host: '127.0.0.1', agent: httpsAgent, rejectUnauthorized: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return response;
  };

  describe(`a frugal agent, over ${scheme}`, () => {
    it('returns every byte, also to a reader that stops in between, and of requests at the same time', async () => {
      const read = async () => {
        const pieces: Buffer[] = [];
        const response = await get();
        // Each step lets the socket fill and the response stop it.
        for await (const piece of response as AsyncIterable<Buffer>) {
          pieces.push(piece);
          await new Promise((resolve) => setImmediate(resolve));
        }
        return hashOf(...pieces);
      };
      const expected = hashOf(object);
      for (const hash of await Promise.all(Array.from({ length: 8 }, read))) assert.equal(hash, expected);
    });

    it('keeps almost no memory of 100 MB that were read', async () => {
      const before = process.memoryUsage().arrayBuffers;
      let most = 0;
      let received = 0;
      for (let round = 0; round < 100; round++) {
        const response = await get();
        response.on('data', (piece: Buffer) => {
          received += piece.length;
          freeMemory(piece);
        });
        await once(response, 'end');
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      }
      assert.equal(received, 100 * object.length);
      assert.ok(most < 8 * MB, `${(most / MB).toFixed(1)} MB`);
    });
  });
}

it('the memory of a buffer that shares it stays', () => {
  const whole = Buffer.from('a longer text that is the whole memory'.repeat(1_000));
  freeMemory(whole.subarray(1));
  assert.equal(String(whole.subarray(0, 8)), 'a longer');
  const own = Buffer.alloc(10_000, 1);
  freeMemory(own);
  assert.equal(own.length, 0);
});
