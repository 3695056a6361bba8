import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, it } from 'node:test';
import { registerAgent } from '../support/clients/journey.ts';
import type { ParsedJson } from '../support/clients/parsed-json.ts';
import { connectMcp, errorOf } from '../support/mcp/mcp.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// What /mcp costs: each message counts, and files of one agent leave room for those of others.

const READS = 30;
// Other tests have no limits.
const { url } = await startWorld({ env: { LIMIT_AGENT_PER_MINUTE: String(READS) } });
const headersOf = (key: string) => ({
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  authorization: `Bearer ${key}`,
});
const rpc = (method: string, id: number | string) => ({ jsonrpc: '2.0', id, method });

async function post(key: string, body: object) {
  const response = await fetch(`${url}/mcp`, { method: 'POST', headers: headersOf(key), body: JSON.stringify(body) });
  const text = await response.text();
  const json = text.startsWith('event:') ? text.slice(text.indexOf('data: ') + 'data: '.length) : text;
  const parsed: ParsedJson = JSON.parse(json.split('\n')[0] ?? '');
  return { status: response.status, headers: response.headers, body: parsed };
}

it('counts each message, also of a batch, as a read', async () => {
  const { key } = await registerAgent(url);
  const batch = Array.from({ length: 10 }, (_, id) => rpc('ping', id));
  assert.equal((await post(key, rpc('tools/list', 1))).headers.get('x-ratelimit-remaining'), String(READS - 1));
  for (let sent = 1; sent < READS - batch.length; sent += batch.length)
    assert.equal((await post(key, batch)).status, 200);
  const { status, headers, body } = await post(key, batch);
  assert.deepEqual([status, body.error.data.code], [429, 'RATE_LIMIT_EXCEEDED']);
  assert.ok(Number(headers.get('retry-after')) > 0);
  assert.equal((await post(key, rpc('tools/list', 1))).status, 429);
});

it('answers a list that it has kept with the id of each request', async () => {
  const [{ key }, other] = [await registerAgent(url), await registerAgent(url)];
  const [first, second] = [await post(key, rpc('tools/list', 7)), await post(other.key, rpc('tools/list', 'a"b'))];
  assert.deepEqual([first.body.id, second.body.id], [7, 'a"b']);
  assert.ok(first.body.result.tools.length > 5);
  assert.deepEqual(second.body.result, first.body.result);
});

it('takes a slot for a file once it has arrived beyond 256 KB, and two for an agent at most', async () => {
  const { key } = await registerAgent(url);
  const unfinished = (bytes: number) => {
    const sent = request(`${url}/mcp`, {
      method: 'POST',
      headers: { ...headersOf(key), 'content-length': '2000000' },
      agent: false,
    });
    after(() => sent.destroy());
    sent.on('error', () => {});
    sent.write(Buffer.alloc(bytes, 32));
    return new Promise<number>((resolve) => void sent.once('response', ({ statusCode = 0 }) => resolve(statusCode)));
  };
  // Neither of these holds a slot: all four answers would be 429 otherwise.
  for (const _ of [1, 2]) void unfinished(1);
  const large = [1, 2, 3].map(() => unfinished(300_000));
  assert.equal(await Promise.race(large), 429);
  const client = await connectMcp(url, { key: (await registerAgent(url)).key });
  const args = { project_id: crypto.randomUUID(), title: 'A', fileType: 'image/png', max_spend: 1 };
  const file = { ...args, file_base64: Buffer.alloc(300_000).toString('base64') };
  const ofOther = errorOf(await client.callTool({ name: 'enter_project', arguments: file }));
  assert.notEqual(ofOther.code, 'RATE_LIMIT_EXCEEDED');
});

it('refuses an idempotency key that no header can carry', async () => {
  const client = await connectMcp(url);
  for (const idempotency_key of ['a\nb', 'ключ']) {
    const refused = errorOf(
      await client.callTool({ name: 'register_poster', arguments: { poster_name: 'Trust', idempotency_key } }),
    );
    assert.deepEqual(
      [refused.code, refused.details.map(({ field }: { field: string }) => field)],
      ['VALIDATION_ERROR', ['idempotency_key']],
    );
  }
});
