import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { call, fund, newPayer, type Payer } from '../support/clients/client.ts';
import { entriesOf, picture } from '../support/clients/entries.ts';
import {
  brief,
  createIntent,
  expectStatus,
  openProject,
  registerAgent,
  registerPoster,
} from '../support/clients/journey.ts';
import { connectMcp, type Data, errorOf, payFor, payTool, useTool } from '../support/clients/mcp.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const FEE_MICRO = 250_000;
const FILE = { fileName: 'dusk.png', fileType: 'image/png' };

const world = await startWorld();
const { url, operatorKey, service, clock, errors } = world;
const { db, chain } = service.deps;
const project = await openProject(world, { entryFeeUsdc: FEE_MICRO / 1e6 });
const entry = { project_id: project.id, title: 'Lighthouse at dusk', ...FILE, file_base64: picture.toString('base64') };

type Account = { id: string; key: string; client: Client };

async function newAgent(): Promise<Account & { payer: Payer }> {
  const { id, key } = await registerAgent(url);
  const payer = newPayer();
  await fund(url, payer.address, 1);
  return { id, key, payer, client: await connectMcp(url, { key }) };
}

async function newPoster(): Promise<Account> {
  const { id, key } = await registerPoster(url);
  return { id, key, client: await connectMcp(url, { key }) };
}

async function codeOf({ client }: Pick<Account, 'client'>, name: string, args: object = {}): Promise<string> {
  return errorOf(await client.callTool({ name, arguments: { ...args } })).code;
}

const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name).toSorted();

/** Sends a request to /mcp as its bytes are given. */
async function post(
  body: string | null,
  { headers = {}, method = 'POST' }: { headers?: Record<string, string>; method?: string } = {},
) {
  const response = await fetch(`${url}/mcp`, {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body,
  });
  const text = await response.text();
  const json = text.startsWith('event:') ? text.slice(text.indexOf('data: ') + 'data: '.length) : text;
  return { status: response.status, headers: response.headers, body: (json === '' ? null : JSON.parse(json)) as Data };
}

const rpc = (method: string, params: object = {}, id: number | undefined = 1) =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

const MARKET = ['find_projects', 'get_project', 'get_terms'];
const reads = [...MARKET, 'events', 'my_account', 'my_entries'];
const agentNames = [...reads, 'confirm_entry', 'enter_project', 'quote_entry', 'request_upload'].toSorted();

describe('the tools that a caller sees', () => {
  it('depend on its role, are at most 12, and refuse unknown arguments', async () => {
    const [everyone, agent, poster] = [await connectMcp(url), await newAgent(), await newPoster()];
    assert.deepEqual(await namesOf(everyone), [...MARKET, 'register_agent', 'register_poster']);
    assert.deepEqual(await namesOf(agent.client), agentNames);
    const posterNames = [
      'choose_winner',
      'draft_brief',
      'events',
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
    assert.deepEqual(await namesOf(client), reads.toSorted());
    assert.equal(await codeOf({ client }, 'enter_project', { ...entry, max_spend: 1 }), 'KEY_SCOPE');
    expectStatus(await call(url, 'DELETE', `/agents/me/keys/${reader.keyId}`, { key }), 200);
    await assert.rejects(client.callTool({ name: 'my_account', arguments: {} }), /INVALID_API_KEY/);
  });

  it('depend on the standing of the agent', async () => {
    const agent = await newAgent();
    const body = { status: 'suspended', reason: 'A complaint' };
    expectStatus(await call(url, 'PUT', `/operator/agents/${agent.id}/status`, { key: operatorKey, body }), 200);
    clock.offsetMs += 1_000;
    assert.deepEqual(await namesOf(agent.client), ['events', 'get_terms', 'my_account']);
    const { agent: shown, money } = await useTool(agent.client, 'my_account');
    assert.deepEqual([shown.status, money], ['suspended', null]);
    assert.equal(await codeOf(agent, 'my_entries'), 'AGENT_SUSPENDED');
  });

  it('belong to one role: another one reads which key it needs', async () => {
    const [everyone, agent, poster] = [await connectMcp(url), await newAgent(), await newPoster()];
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

describe('a payment over MCP', () => {
  it('is asked for as x402 says, and the 402 fits the schema of the output', async () => {
    const { client } = await newAgent();
    const { tools } = await client.listTools();
    const refusal = await client.callTool({ name: 'enter_project', arguments: { ...entry, max_spend: 1 } });
    const required: Data = refusal.structuredContent;
    assert.deepEqual([refusal.isError, required.x402Version, required.accepts[0].amount], [true, 2, String(FEE_MICRO)]);
    const [first, second] = refusal.content.map((part) => (part.type === 'text' ? JSON.parse(part.text) : null));
    assert.deepEqual(first['x402/error'], { code: 402, message: required.error, data: required });
    assert.equal(second.error.code, 'PAYMENT_REQUIRED');
    const schema = tools.find(({ name }) => name === 'enter_project')?.outputSchema;
    z.fromJSONSchema(schema as z.core.JSONSchema.JSONSchema).parse(required);
  });

  it('is never above max_spend, and nothing is reserved for a fee above it', async () => {
    const { client, payer } = await newAgent();
    const cheap = { ...entry, max_spend: 0.1 };
    assert.equal(await codeOf({ client }, 'enter_project', cheap), 'BUDGET_EXCEEDED');
    assert.deepEqual((await useTool(client, 'my_entries')).submissions, []);
    const refusal = await client.callTool({ name: 'enter_project', arguments: { ...entry, max_spend: 1 } });
    assert.equal(await codeOf({ client }, 'enter_project', cheap), 'BUDGET_EXCEEDED');
    const meta = { 'x402/payment': await payFor(payer, refusal) };
    const paid = await client.callTool({ name: 'enter_project', arguments: cheap, _meta: meta });
    assert.equal(errorOf(paid).code, 'BUDGET_EXCEEDED');
    assert.equal(await chain.balanceMicro(payer.address), 1_000_000);
    assert.equal(await codeOf({ client }, 'enter_project', entry), 'VALIDATION_ERROR');
  });

  it('that comes over MCP and HTTP at once is charged once', async () => {
    const { id, key, client, payer } = await newAgent();
    const { id: submissionId } = await createIntent(url, key, project.id);
    const file = { ...FILE, fileSize: picture.length };
    const args = { project_id: project.id, submission_id: submissionId, ...file, max_spend: 1 };
    const payment = await payFor(payer, await client.callTool({ name: 'request_upload', arguments: args }));
    const header = Buffer.from(JSON.stringify(payment)).toString('base64');
    const [overMcp, overHttp] = await Promise.all([
      client.callTool({ name: 'request_upload', arguments: args, _meta: { 'x402/payment': payment } }),
      call(url, 'POST', `/agents/projects/${project.id}/submissions/${submissionId}`, {
        key,
        body: file,
        headers: { 'payment-signature': header, 'x-forwarded-for': '203.0.113.7' },
      }),
    ]);
    const again = await client.callTool({
      name: 'request_upload',
      arguments: args,
      _meta: { 'x402/payment': payment },
    });
    for (const { isError } of [overMcp, again]) assert.notEqual(isError, true);
    assert.equal(overHttp.status, 200);
    assert.equal(await chain.balanceMicro(payer.address), 1_000_000 - FEE_MICRO);
    const [fees] = await db`select count(*)::int as payments from payments where subject_id = ${submissionId}`;
    assert.equal(fees?.['payments'], 1, id);
  });

  it('that is malformed, or signed for another amount, is refused with the price', async () => {
    const { client, payer } = await newAgent();
    const args = { ...entry, max_spend: 1 };
    const refusal = await client.callTool({ name: 'enter_project', arguments: args });
    const payment: Data = await payFor(payer, refusal);
    payment.payload.authorization.value = '1';
    for (const sent of [payment, 'pay', { x402Version: 1 }, { x402Version: 2, payload: {} }]) {
      const refused = await client.callTool({
        name: 'enter_project',
        arguments: args,
        _meta: { 'x402/payment': sent },
      });
      assert.equal(errorOf(refused).code, 'PAYMENT_FAILED', JSON.stringify(sent));
      assert.equal((refused.structuredContent as Data).accepts[0].amount, String(FEE_MICRO));
    }
    assert.equal(await chain.balanceMicro(payer.address), 1_000_000);
  });

  it('is reported with an error that comes after it, and the next call needs none', async () => {
    const { client, payer } = await newAgent();
    const bad = { ...entry, max_spend: 1, file_base64: Buffer.from('no picture').toString('base64') };
    const refused = await payTool(client, payer, 'enter_project', bad);
    const { _meta: meta, structuredContent } = refused;
    assert.equal(errorOf(refused).code, 'VALIDATION_ERROR');
    assert.equal((meta?.['x402/payment-response'] as Data).success, true);
    assert.equal(structuredContent, undefined);
    const { status, entry_fee_paid } = await useTool(client, 'enter_project', { ...entry, max_spend: 0 });
    assert.deepEqual([status, entry_fee_paid], ['submitted', FEE_MICRO]);
    assert.equal(await chain.balanceMicro(payer.address), 1_000_000 - FEE_MICRO);
  });

  it('of two calls at once is charged once, and makes one entry', async () => {
    const { client, payer } = await newAgent();
    const args = { ...entry, max_spend: 1 };
    const refusal = await client.callTool({ name: 'enter_project', arguments: args });
    const meta = { 'x402/payment': await payFor(payer, refusal) };
    const paid = () => client.callTool({ name: 'enter_project', arguments: args, _meta: meta });
    await Promise.all([paid(), paid()]);
    const { submissions } = await useTool(client, 'my_entries');
    assert.deepEqual(
      submissions.map((each: Data) => [each.status, each.entry_fee_paid]),
      [['submitted', FEE_MICRO]],
    );
    assert.equal(await chain.balanceMicro(payer.address), 1_000_000 - FEE_MICRO);
  });

  it('of a prize above max_spend is not asked for', async () => {
    const { client } = await newPoster();
    const { project: draft } = await useTool(client, 'draft_brief', brief({ prizeUsdc: 2 }));
    const args = { project_id: draft.id, max_spend: 1.999999 };
    const refused = errorOf(await client.callTool({ name: 'publish_brief', arguments: args }));
    assert.equal(refused.message, 'Not charged: 2 USDC is above max_spend (1.999999 USDC).');
  });

  it('buys a file of a set without confirming the others', async () => {
    const set = await openProject(world, { entryFeeUsdc: 0, fields: { item_count: 2 } });
    const { client } = await newAgent();
    const args = { ...entry, project_id: set.id, max_spend: 0 };
    const first = await useTool(client, 'enter_project', args);
    assert.deepEqual([first.status, first.upload, first.next.tool], ['pending', null, 'confirm_entry']);
    await useTool(client, 'enter_project', { ...args, item: 2 });
    const confirmed = await useTool(client, 'confirm_entry', { ...first.next.arguments, items: 2 });
    assert.deepEqual(confirmed.items, [1, 2]);
  });
});

describe('the rules of the HTTP API', () => {
  it('count a call against the same limit', async () => {
    const { key, client } = await newAgent();
    for (let sent = 0; sent < 60; sent += 1) await call(url, 'GET', '/agents/me', { key });
    const result = await client.callTool({ name: 'my_entries', arguments: {} });
    const texts = result.content.map((part) => (part.type === 'text' ? JSON.parse(part.text) : null));
    assert.equal(texts[0].error.code, 'RATE_LIMIT_EXCEEDED');
    assert.ok(texts[0].retry_after_seconds > 0);
  });

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

  it('name the wrong fields', async () => {
    const [everyone, agent] = [await connectMcp(url), await newAgent()];
    const named = async (client: Client, name: string, args: object) =>
      errorOf(await client.callTool({ name, arguments: { ...args } })).details.map(
        ({ field }: { field: string }) => field,
      );
    assert.deepEqual(await named(everyone, 'find_projects', { limit: 1000 }), ['limit']);
    assert.deepEqual(await named(everyone, 'find_projects', { limit: [1] }), ['limit']);
    assert.deepEqual(await named(everyone, 'get_project', {}), ['project_id']);
    assert.deepEqual(await named(everyone, 'register_poster', { poster_name: 'a\u0000b' }), ['body']);
    assert.deepEqual(await named(agent.client, 'enter_project', { ...entry, max_spend: 1, fileType: 'image/gif' }), [
      'fileType',
    ]);
    assert.deepEqual(await named(agent.client, 'enter_project', { ...entry, max_spend: 1, file_base64: 'a?==' }), [
      'file_base64',
    ]);
    assert.deepEqual(await named(agent.client, 'enter_project', { ...entry, max_spend: 1, fileSize: 7 }), ['fileSize']);
    const { file_base64: _, ...planned } = entry;
    assert.deepEqual(await named(agent.client, 'enter_project', { ...planned, max_spend: 1 }), ['fileSize']);
  });

  it('mark the text of strangers', async () => {
    const [everyone, agent] = [await connectMcp(url), await newAgent()];
    for (const client of [everyone, agent.client]) {
      const { project: shown } = await useTool(client, 'get_project', { project_id: project.id });
      assert.match(shown.untrusted_description, /lighthouse/);
      assert.equal(shown.poster.untrusted_name, 'Test poster');
      assert.deepEqual([shown.title, shown.description], [undefined, undefined]);
    }
    const terms = await useTool(everyone, 'get_terms', { project_id: project.id });
    assert.match(terms.brief.untrusted_title, /lighthouse/);
  });
});

describe('the token of a preview', () => {
  it('chooses only its own entry, for its own poster, within 10 minutes', async () => {
    const poster = await newPoster();
    const judged = await openProject(world, { entryFeeUsdc: 0, poster });
    const entrants = [await newAgent(), await newAgent()];
    const ids: string[] = [];
    for (const { client } of entrants)
      ids.push(
        (await useTool(client, 'enter_project', { ...entry, project_id: judged.id, max_spend: 0 })).submission_id,
      );
    const [first, second] = ids.map((submission_id) => ({ project_id: judged.id, submission_id }));
    assert.ok(first && second);
    assert.equal(await codeOf(poster, 'choose_winner', first), 'PROJECT_STATE_CONFLICT');
    await entriesOf(world).setStatus(judged.id, 'judging');
    const { preview } = await useTool(poster.client, 'choose_winner', first);
    const token = preview.token;
    const wrong: [Account, object][] = [
      [poster, { ...second, preview_token: token }],
      [await newPoster(), { ...first, preview_token: token }],
      [poster, { ...first, preview_token: `${token.slice(0, -4)}AAAA` }],
      [poster, { ...first, preview_token: 'eyJ9' }],
    ];
    for (const [account, args] of wrong) assert.equal(await codeOf(account, 'choose_winner', args), 'VALIDATION_ERROR');
    const foreign = { project_id: judged.id, submission_id: crypto.randomUUID() };
    assert.equal(await codeOf(poster, 'choose_winner', foreign), 'SUBMISSION_NOT_FOUND');
    const end = new Date(preview.expires_at);
    await clock.at(end, async () => {
      const error = errorOf(
        await poster.client.callTool({ name: 'choose_winner', arguments: { ...first, preview_token: token } }),
      );
      assert.match(error.message, /older than 10 minutes/);
    });
    await clock.at(end.getTime() - 1, async () => {
      const { chosen } = await useTool(poster.client, 'choose_winner', { ...first, preview_token: token });
      assert.equal(chosen, true);
    });
  });
});

describe('the door of /mcp', () => {
  it('answers what is no JSON-RPC as the protocol says', async () => {
    const answers: [string, { headers?: Record<string, string>; method?: string }, number, number][] = [
      ['{"jsonrpc":', {}, 400, -32_700],
      ['\u0000', {}, 400, -32_700],
      ['"text"', {}, 400, -32_600],
      [rpc('tools/list'), { headers: { 'content-type': 'text/plain' } }, 415, -32_000],
      [rpc('resources/subscribe'), {}, 200, -32_601],
      [rpc('tools/call', { name: 7 }), {}, 200, -32_602],
      [`[${Array.from({ length: 11 }, (_, id) => rpc('ping', {}, id)).join(',')}]`, {}, 400, -32_000],
    ];
    for (const [body, options, status, code] of answers) {
      const answer = await post(body, options);
      assert.deepEqual([answer.status, answer.body.error.code], [status, code], body.slice(0, 40));
    }
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const answer = await post(null, { method });
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST'], method);
    }
    const notified = await post(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    assert.equal(notified.status, 202);
  });

  it('speaks each older revision without a session', async () => {
    for (const protocolVersion of ['2025-11-25', '2025-06-18', '2025-03-26']) {
      const clientInfo = { name: 'old', version: '1' };
      const { status, headers, body } = await post(
        rpc('initialize', { protocolVersion, capabilities: {}, clientInfo }),
      );
      assert.deepEqual([status, body.result.protocolVersion], [200, protocolVersion]);
      assert.equal(headers.get('mcp-session-id'), null);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.match(body.result.instructions, /untrusted_/);
    }
  });

  it('refuses pages of other sites, and accepts its own', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://127.0.0.1:1'])
      assert.equal((await post(rpc('tools/list'), { headers: { origin } })).status, 403, origin);
    assert.equal((await post(rpc('tools/list'), { headers: { origin: new URL(url).origin } })).status, 200);
  });

  it('refuses a wrong key with 401, and ignores cookies', async () => {
    const { key } = await registerPoster(url);
    for (const authorization of [
      'Bearer wrong',
      `Bearer ${key.slice(0, -1)}0`,
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
    const { key, client } = await newAgent();
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
    const nested = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_terms","arguments":{"project_id":${'['.repeat(9_000)}${']'.repeat(9_000)}}}}`;
    assert.equal(errorOf((await post(nested)).body.result).code, 'VALIDATION_ERROR');
  });
});

it('logs no errors', () => assert.deepEqual(errors, []));
