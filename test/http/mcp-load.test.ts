import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, it } from 'node:test';
import { entriesOf } from '../support/clients/entries.ts';
import { openProject, registerAgent } from '../support/clients/journey.ts';
import type { ParsedJson } from '../support/clients/parsed-json.ts';
import { codeOf, entryArgs, type McpAccount, newMcpAgent, newMcpPoster } from '../support/mcp/mcp-accounts.ts';
import { connectMcp, errorOf, useTool } from '../support/mcp/mcp.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// What /mcp costs: each message counts, and files of one agent leave room for those of others.

const READS = 30;
// Other tests have no limits.
const world = await startWorld({ env: { LIMIT_AGENT_PER_MINUTE: String(READS) }, inspectionTimes: { waitMs: 30_000 } });
const { url } = world;
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

it('takes a file beyond 256 KB only while its agent has fewer than two', async () => {
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
  // Neither of these counts as a file: all four answers would be 429 otherwise.
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

it('chooses a winner only with the token of a preview, for its entry and poster', async () => {
  const poster = await newMcpPoster(url);
  const { id: project_id } = await openProject(world, { entryFeeUsdc: 0, poster });
  const ids: string[] = [];
  for (const { client } of [await newMcpAgent(url), await newMcpAgent(url)])
    ids.push((await useTool(client, 'enter_project', { ...entryArgs(project_id), max_spend: 0 })).submission_id);
  const [first, second] = ids.map((submission_id) => ({ project_id, submission_id }));
  assert.ok(first && second);
  assert.equal(await codeOf(poster, 'choose_winner', first), 'PROJECT_STATE_CONFLICT');
  await entriesOf(world).setStatus(project_id, 'judging');
  const { token } = (await useTool(poster.client, 'choose_winner', first)).preview;
  const wrong: [McpAccount, object][] = [
    [poster, { ...second, preview_token: token }],
    [await newMcpPoster(url), { ...first, preview_token: token }],
    [poster, { ...first, preview_token: `${token.slice(0, -4)}AAAA` }],
    [poster, { ...first, preview_token: 'eyJ9' }],
  ];
  for (const [account, args] of wrong) assert.equal(await codeOf(account, 'choose_winner', args), 'VALIDATION_ERROR');
  assert.equal((await useTool(poster.client, 'choose_winner', { ...first, preview_token: token })).chosen, true);
});
