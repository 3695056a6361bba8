import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { readConfig } from '../../server/config.ts';
import { createWelcome } from '../../server/http/cross-origin.ts';
import { call } from '../support/clients/client.ts';
import { expectStatus, openProject, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { codeOf, entryArgs, newMcpAgent, newMcpPoster } from '../support/mcp/mcp-accounts.ts';
import { connectMcp, errorOf, useTool } from '../support/mcp/mcp.ts';
import type { ParsedJson } from '../support/clients/parsed-json.ts';
import { until } from '../support/processes/processes.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

const world = await sharedWorld();
const { url, operatorKey } = world;
const project = await openProject(world, { entryFeeUsdc: 0.25 });
const entry = entryArgs(project.id);

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name).toSorted();

/** Sends a request to /mcp as its bytes are given. */
async function post(
  body: string | Uint8Array<ArrayBuffer> | null,
  { headers = {}, method = 'POST' }: { headers?: Record<string, string>; method?: string } = {},
) {
  const response = await fetch(`${url}/mcp`, {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body,
  });
  const text = await response.text();
  const json = text.startsWith('event:') ? text.slice(text.indexOf('data: ') + 'data: '.length) : text;
  const data: ParsedJson = json === '' ? null : JSON.parse(json);
  return { status: response.status, headers: response.headers, body: data };
}

const rpc = (method: string, params: object = {}, id: number | undefined = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

const MARKET = ['find_projects', 'get_project', 'get_terms'];
const reads = [...MARKET, 'events', 'my_account', 'my_entries'];
const agentNames = [
  ...reads,
  'confirm_entry',
  'enter_project',
  'fund_wallet',
  'quote_entry',
  'request_upload',
].toSorted();

describe('the tools that a caller sees', () => {
  it('depend on its role, are at most 12, and refuse unknown arguments', async () => {
    const [everyone, agent, poster] = [await connectMcp(url), await newMcpAgent(url), await newMcpPoster(url)];
    assert.deepEqual(await namesOf(everyone), [...MARKET, 'register_agent', 'register_poster']);
    assert.deepEqual(await namesOf(agent.client), agentNames);
    const posterNames = [
      'choose_winner',
      'draft_brief',
      'events',
      'fund_wallet',
      'get_delivery',
      'list_entries',
      'my_briefs',
      'publish_brief',
      'score_entry',
    ];
    assert.deepEqual(await namesOf(poster.client), [...MARKET, ...posterNames].toSorted());
    for (const client of [everyone, agent.client, poster.client]) {
      const { tools } = await client.listTools();
      assert.ok(tools.length <= 12);
      for (const { inputSchema, outputSchema, name } of tools) {
        assert.equal(inputSchema.additionalProperties, false, name);
        assert.equal(outputSchema?.['type'], 'object', name);
        assert.doesNotMatch(JSON.stringify([inputSchema, outputSchema]), /"\$ref"/, name);
      }
    }
    const unknown = errorOf(await agent.client.callTool({ name: 'my_entries', arguments: { page: 2 } }));
    assert.deepEqual(
      [unknown.code, unknown.details],
      ['VALIDATION_ERROR', [{ field: 'page', message: 'unknown field' }]],
    );
  });

  it('depend on the scope of the key', async () => {
    const { key } = await registerAgent(url);
    const body = { name: 'reader', scope: 'read' };
    const reader = expectStatus(await call(url, 'POST', '/agents/me/keys', { key, body }), 201).body.data;
    const client = await connectMcp(url, { key: reader.apiKey });
    assert.deepEqual(await namesOf(client), [...reads, 'fund_wallet'].toSorted());
    const poster = await registerPoster(url);
    const posters = expectStatus(await call(url, 'POST', '/posters/me/keys', { key: poster.key, body }), 201).body.data;
    const choice = { project_id: project.id, submission_id: project.id };
    const reading = { client: await connectMcp(url, { key: posters.apiKey }) };
    assert.equal(await codeOf(reading, 'choose_winner', choice), 'KEY_SCOPE');
    assert.equal(await codeOf({ client }, 'enter_project', { ...entry, max_spend: 1 }), 'KEY_SCOPE');
    expectStatus(await call(url, 'DELETE', `/agents/me/keys/${reader.keyId}`, { key }), 200);
    await assert.rejects(client.callTool({ name: 'my_account', arguments: {} }), /INVALID_API_KEY/);
  });

  it('depend on the standing of the agent', async () => {
    const agent = await newMcpAgent(url);
    const body = { status: 'suspended', reason: 'A complaint' };
    expectStatus(await call(url, 'PUT', `/operator/agents/${agent.id}/status`, { key: operatorKey, body }), 200);
    const names = await until('the standing', async () => {
      const listed = await namesOf(agent.client);
      return listed.length < agentNames.length && listed;
    });
    assert.deepEqual(names, ['fund_wallet', 'get_terms', 'my_account']);
    const { agent: shown, money } = await useTool(agent.client, 'my_account');
    assert.deepEqual([shown.status, money], ['suspended', null]);
    assert.equal(await codeOf(agent, 'my_entries'), 'AGENT_SUSPENDED');
  });

  it('belong to one role: another one reads which key it needs', async () => {
    const [everyone, agent, poster] = [await connectMcp(url), await newMcpAgent(url), await newMcpPoster(url)];
    const wrong: [Client, string, RegExp][] = [
      [everyone, 'my_entries', /needs an agent's key as bearer\. This connection has no key/],
      [poster.client, 'enter_project', /needs an agent's key .* has a poster's key/],
      [agent.client, 'publish_brief', /needs a poster's key .* has an agent's key/],
      [agent.client, 'register_agent', /needs no key/],
    ];
    for (const [client, name, message] of wrong) {
      const error = errorOf(await client.callTool({ name, arguments: {} }));
      assert.equal(error.code, 'UNAUTHORIZED', name);
      assert.match(error.message, message);
    }
    await assert.rejects(agent.client.callTool({ name: 'drop_tables', arguments: {} }), /Unknown tool: drop_tables/);
  });
});

describe('the rules of the HTTP API', () => {
  it('repeat the answer of an idempotency key', async () => {
    const client = await connectMcp(url);
    const args = { poster_name: 'Trust', idempotency_key: crypto.randomUUID() };
    const [one, two] = [await useTool(client, 'register_poster', args), await useTool(client, 'register_poster', args)];
    assert.equal(one.apiKey, two.apiKey);
    assert.equal(
      await codeOf({ client }, 'register_poster', { ...args, poster_name: 'Other' }),
      'IDEMPOTENCY_KEY_REUSED',
    );
  });

  it('answer each search with a page of its own', async () => {
    const { client } = await newMcpAgent(url);
    const found = async (search: Record<string, unknown>) =>
      (await useTool(client, 'find_projects', search)).projects.length;
    assert.ok((await found({ limit: 10 })) > 0);
    assert.equal(await found({ min_prize_amount: 1_000_000, limit: 10 }), 0);
  });

  it('name the wrong fields', async () => {
    const [everyone, agent] = [await connectMcp(url), await newMcpAgent(url)];
    const named = async (client: Client, name: string, args: object) =>
      errorOf(await client.callTool({ name, arguments: { ...args } })).details.map(
        ({ field }: { field: string }) => field,
      );
    assert.deepEqual(await named(everyone, 'find_projects', { limit: 1000 }), ['limit']);
    assert.deepEqual(await named(everyone, 'find_projects', { limit: [1] }), ['limit']);
    assert.deepEqual(await named(everyone, 'get_project', {}), ['project_id']);
    assert.deepEqual(await named(everyone, 'register_poster', { poster_name: 'a\u0000b' }), ['poster_name']);
    assert.deepEqual(await named(agent.client, 'enter_project', { ...entry, max_spend: 1, fileType: 'image/gif' }), [
      'fileType',
    ]);
    assert.deepEqual(await named(agent.client, 'enter_project', { ...entry, max_spend: 1, file_base64: 'a?==' }), [
      'file_base64',
    ]);
    assert.deepEqual(await named(agent.client, 'enter_project', { ...entry, max_spend: 1, fileSize: 7 }), ['fileSize']);
    assert.deepEqual(await named(everyone, 'register_poster', { name: 'Trust' }), ['name', 'poster_name']);
    const { file_base64: _, ...planned } = entry;
    assert.deepEqual(await named(agent.client, 'enter_project', { ...planned, max_spend: 1 }), ['fileSize']);
  });
});

describe('the door of /mcp', () => {
  it('answers what is no JSON-RPC as the protocol says', async () => {
    const answers: [
      string | Uint8Array<ArrayBuffer>,
      { headers?: Record<string, string>; method?: string },
      number,
      number,
    ][] = [
      ['{"jsonrpc":', {}, 400, -32_700],
      ['\u0000', {}, 400, -32_700],
      [Buffer.from(rpc('ping', { a: '\u00ff' }), 'latin1'), {}, 400, -32_700],
      [rpc('tools/list', { _meta: Array.from({ length: 5_000 }, () => 0) }), {}, 400, -32_000],
      ['{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1e999}}', {}, 400, -32_000],
      [`[${rpc('tools/call', { name: 'get_me' })},${rpc('tools/call', { name: 'get_me' }, 2)}]`, {}, 400, -32_000],
      ['"text"', {}, 400, -32_600],
      [rpc('tools/list'), { headers: { 'content-type': 'text/plain' } }, 415, -32_000],
      [rpc('resources/subscribe'), {}, 200, -32_601],
      [rpc('tools/call', { name: 7 }), {}, 200, -32_602],
      [`[${Array.from({ length: 11 }, (_, id) => rpc('ping', {}, id)).join(',')}]`, {}, 400, -32_000],
    ];
    for (const [body, options, status, code] of answers) {
      const answer = await post(body, options);
      assert.deepEqual([answer.status, answer.body.error.code], [status, code], String(body).slice(0, 40));
    }
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await post(null, { method });
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST'], method);
    }
    const notified = await post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    assert.equal(notified.status, 202);
  });

  it('takes the pages that may call the API, without their cookies', async () => {
    const statusFor = async (headers: Record<string, string>) => (await post(rpc('tools/list'), { headers })).status;
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:1', cookie: 'a=b' },
    ])
      assert.equal(await statusFor(headers), 403, JSON.stringify(headers));
    const page = { origin: 'http://localhost:6274', authorization: `Bearer ${(await registerAgent(url)).key}` };
    for (const headers of [{ origin: new URL(url).origin }, page]) assert.equal(await statusFor(headers), 200);
  });

  it('takes any page in production, except one whose name was rebound to the service', () => {
    const from = (development: boolean, headers: Record<string, string>) => {
      const parts = { config: { ...readConfig({}), development }, publicUrl: 'https://market.example' };
      return createWelcome(parts, { isOwnOrigin: () => false })(new Headers(headers));
    };
    assert.equal(from(false, { host: 'market.example', origin: 'https://app.example' }), true);
    assert.equal(from(false, { host: 'concours.internal:4020' }), true);
    assert.equal(from(false, { host: 'app.example:4020', origin: 'http://app.example:4020' }), false);
    assert.equal(from(true, { host: 'app.example:4020' }), false);
    assert.equal(from(true, { host: 'localhost:4020' }), true);
  });

  it('refuses a wrong key with 401, and ignores cookies', async () => {
    const { key } = await registerPoster(url);
    for (const authorization of [
      'Bearer wrong',
      `Bearer ${key.replace(/.$/, (last) => (last === '0' ? '1' : '0'))}`,
      `Bearer ${operatorKey}`,
      'Basic YTpi',
    ]) {
      const { status, headers, body } = await post(rpc('tools/list'), { headers: { authorization } });
      assert.deepEqual([status, headers.get('www-authenticate')], [401, 'Bearer'], authorization.slice(0, 9));
      assert.match(body.error.data.code, /INVALID_API_KEY|UNAUTHORIZED/);
    }
    const named = await post(rpc('tools/call', { name: 'my_briefs', arguments: {} }), {
      headers: { cookie: 'poster_session=x' },
    });
    assert.equal(errorOf(named.body.result).code, 'UNAUTHORIZED');
  });

  it('bounds what it reads', async () => {
    const { key, client } = await newMcpAgent(url);
    const ofBytes = (bytes: number) => ({
      ...entry,
      max_spend: 1,
      file_base64: Buffer.alloc(bytes).toString('base64'),
    });
    const tooLarge = errorOf(await client.callTool({ name: 'enter_project', arguments: ofBytes(1024 * 1024 + 1) }));
    assert.match(tooLarge.message, /file_base64: at most 1048576 bytes\. For a larger file/);
    const whole = errorOf(await client.callTool({ name: 'enter_project', arguments: ofBytes(1024 * 1024) }));
    assert.equal(whole.code, 'PAYMENT_REQUIRED');
    const sent = (bytes: number) =>
      rpc('tools/call', { name: 'enter_project', arguments: { file_base64: 'A'.repeat(bytes) } });
    const mine = await post(sent(2 * 1024 * 1024), { headers: { authorization: `Bearer ${key}` } });
    assert.deepEqual([mine.status, mine.body.error.data.code], [413, 'VALIDATION_ERROR']);
    assert.equal((await post(sent(256 * 1024))).status, 413);
    const deep = `${'['.repeat(4_000)}${']'.repeat(4_000)}`;
    const nested = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_terms","arguments":{"project_id":${deep}}}}`;
    assert.equal((await post(nested)).body.error.data.code, 'VALIDATION_ERROR');
  });

  it('does not explain the faults of an initialize that has many', async () => {
    const icons = Array.from({ length: 4_900 }, () => ({}));
    const clientInfo = { name: 'a', version: '1', icons };
    const params = { protocolVersion: '2025-06-18', capabilities: { experimental: { k: icons } }, clientInfo };
    assert.ok((await post(rpc('initialize', { ...params, clientInfo: { name: 'a', version: '1' } }))).body.result);
    assert.ok((await post(rpc('initialize', { ...params, capabilities: {} }))).body.result);
    const { error } = (await post(rpc('initialize', { ...params, protocolVersion: icons }))).body;
    assert.ok(JSON.stringify(error).length < 1_000);
  });
});
