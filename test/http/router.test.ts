import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { everyOperation } from '../support/clients/check-answer.ts';
import { openProject } from '../support/clients/journey.ts';
import { exchange } from '../support/clients/raw-http.ts';
import { entriesOf } from '../support/clients/entries.ts';
import { call } from '../support/clients/client.ts';
import type { Document } from '../support/clients/api-document.ts';
import { exactAnswer, keyFor, newKeys } from '../support/clients/requests.ts';
import { codeOf, entryArgs, newMcpAgent, newMcpPoster, type McpAccount } from '../support/mcp/mcp-accounts.ts';
import { errorOf, useTool } from '../support/mcp/mcp.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { freePort } from '../../server/devnet/child-process.ts';
import { listen } from '../../server/http/server.ts';
import { createService, type Service } from '../../server/service.ts';

// What the router of a process serves: by Hono, by the reader beside it, by MCP, and in production.

const world = await startWorld();
const { service, operatorKey, clock, url, errors } = world;
const keys = await newKeys({ url, operatorKey });
const standsAt = clock.now();

// server/http/reader.ts answers simple reads without Hono. Each request goes to two copies of the service, one with the
// reader and one without. The copies start with the same state, so they have to give the same answers.
async function startCopy(withReader: boolean): Promise<{ url: string; readerAnswers: () => number }> {
  const { app } = await clock.at(standsAt, async () => createService(service.deps, { operatorKey }));
  let answers = 0;
  const answerRead: typeof app.answerRead = (incoming, outgoing) => {
    const isAnswered = withReader && app.answerRead(incoming, outgoing);
    if (isAnswered) answers += 1;
    return isAnswered;
  };
  const port = await freePort();
  const listener = await listen({ ...app, answerRead }, { host: '127.0.0.1', port });
  after(async () => {
    await listener.close(0);
    app.stop();
  });
  return { url: `http://127.0.0.1:${port}`, readerAnswers: () => answers };
}

const reader = await startCopy(true);
const router = await startCopy(false);

const reads = everyOperation.filter((spec) => spec.method === 'get' && !spec.params && !spec.developmentOnly);

/** Returns the answer as text after checking that both copies give the same one. */
async function sameAnswer(target: string, lines: string[], headOf = usualHead): Promise<string> {
  const answers = [];
  for (const copy of [reader, router]) {
    const [answer, ...more] = await clock.at(standsAt, () => exchange(copy.url, headOf(target, lines)));
    assert.ok(answer && more.length === 0, `${target} ${lines.join()}`);
    // Unlike other tests, this one also compares the state of each limit.
    const limits = [...answer.headers].filter(([name]) => name.includes('ratelimit'));
    // The chain may mine a block between the two requests, and each copy measures how long a part takes.
    const exact = exactAnswer(answer).replaceAll(/(\\"(?:block|seconds)\\":)[\d.e-]+/g, '$1');
    const isTimed = exact.includes('\\"seconds\\":');
    answers.push(`${isTimed ? exact.replace(/"content-length","\d+"/, '') : exact} ${JSON.stringify(limits)}`);
  }
  const [first, second] = answers;
  assert.equal(first, second, `${target} ${lines.join()}`);
  return first!;
}

function usualHead(target: string, lines: string[]): string {
  return ['GET ' + target + ' HTTP/1.1', 'Host: service.example', 'Connection: close', ...lines, '', ''].join('\r\n');
}

const bearer = (key: string) => `Authorization: Bearer ${key}`;

describe('a read that the reader answers', () => {
  for (const spec of reads) {
    const target = `/api/v1${spec.path}`;
    const { key } = keyFor(spec, keys);
    const credentials = key === undefined ? [] : [bearer(key)];

    it(`${spec.id} gets the same answer from the router`, async () => {
      const before = reader.readerAnswers();
      const requests: [target: string, lines: string[]][] = [
        [`${target}?limit=1`, credentials],
        [`${target}?limit=none&unknown=%E2%82%AC&%00=1`, credentials],
        [target, []],
        [target, [...credentials, bearer('another')]],
        [target, ['Cookie: poster_session=wrong', 'Origin: https://other.example', 'Sec-Fetch-Site: cross-site']],
      ];
      for (const [each, lines] of requests) await sameAnswer(each, lines);
      assert.equal(reader.readerAnswers() - before, requests.length);
    });
  }
});

describe('a request that the reader leaves to the router', () => {
  it('gets the same answer', async () => {
    const before = reader.readerAnswers();
    const targets = [
      '/api/v1/agents/%70rojects',
      '/api/v1/agents/projects/',
      '/api/v1//agents/projects',
      '/api/v1/agents/./projects',
      '/api/v1/agents/x/../projects',
      'http://service.example/api/v1/agents/projects',
      '/api/v1/agents/projects/018f0000-0000-7000-8000-000000000000',
      '/api/v1/no/such/route',
      '/healthz',
    ];
    for (const target of targets) await sameAnswer(target, [bearer(keys.agent)]);
    const otherHead = (method: string, host: string) => (target: string, lines: string[]) =>
      [`${method} ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...lines, '', ''].join('\r\n');
    for (const [method, host] of [
      ['HEAD', 'service.example'],
      ['OPTIONS', 'service.example'],
      ['GET', 'exa mple'],
      ['GET', '[::1]:4020'],
      ['GET', 'SERVICE.example'],
    ] as const)
      await sameAnswer('/api/v1/agents/projects', [bearer(keys.agent)], otherHead(method, host));
    assert.equal(reader.readerAnswers(), before);
    assert.deepEqual(errors, []);
  });
});

/** Lists the router's operations below the API's prefix, such as `GET /agents/{agent_id}`. */
function routed({ app }: Pick<Service, 'app'>): string[] {
  return app.routes
    .filter(({ path }) => path.startsWith('/api/v1/'))
    .map(({ method, path }) => `${method} ${path.slice('/api/v1'.length).replaceAll(/:(\w+)/g, '{$1}')}`)
    .toSorted();
}

async function described(served: Response): Promise<string[]> {
  const { paths } = (await served.json()) as Document;
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  return [...routes, 'GET /openapi.json'].toSorted();
}

describe('the router', () => {
  it('has exactly the operations of the OpenAPI document', async () => {
    assert.deepEqual(await described(await fetch(`${url}/api/v1/openapi.json`)), routed(service));
    assert.equal(new Set(routed(service)).size, everyOperation.length + 1);
  });

  it('has no development route in production', async () => {
    const config = { ...service.deps.config, development: false };
    const production = createService({ ...service.deps, config }, { operatorKey });
    const served = await production.app.fetch(new Request('http://localhost/api/v1/openapi.json'));
    const inProduction = routed(production);
    assert.deepEqual(await described(served), inProduction);
    assert.deepEqual(
      routed(service).filter((route) => !inProduction.includes(route)),
      ['POST /dev/faucet'],
    );
    production.app.stop();
  });
});

describe('a tool of MCP', () => {
  it('counts against the limit of the HTTP API', async () => {
    const { key, client } = await newMcpAgent(url);
    const result = await clock.at(clock.now(), async () => {
      for (let sent = 0; sent < 60; sent += 1) await call(url, 'GET', '/agents/me', { key });
      return await client.callTool({ name: 'my_entries', arguments: {} });
    });
    const [told] = result.content.map((part) => (part.type === 'text' ? JSON.parse(part.text) : null));
    assert.equal(told.error.code, 'RATE_LIMIT_EXCEEDED');
    assert.ok(told.retry_after_seconds > 0);
  });

  it('chooses a winner only with the token of a preview: for its entry and poster, and for 10 minutes', async () => {
    const poster = await newMcpPoster(url);
    const project = await openProject(world, { entryFeeUsdc: 0, poster });
    const ids: string[] = [];
    for (const { client } of [await newMcpAgent(url), await newMcpAgent(url)])
      ids.push((await useTool(client, 'enter_project', { ...entryArgs(project.id), max_spend: 0 })).submission_id);
    const [first, second] = ids.map((submission_id) => ({ project_id: project.id, submission_id }));
    assert.ok(first && second);
    assert.equal(await codeOf(poster, 'choose_winner', first), 'PROJECT_STATE_CONFLICT');
    await entriesOf(world).setStatus(project.id, 'judging');
    const { token, expires_at: end } = (await useTool(poster.client, 'choose_winner', first)).preview;
    const wrong: [McpAccount, object][] = [
      [poster, { ...second, preview_token: token }],
      [await newMcpPoster(url), { ...first, preview_token: token }],
      [poster, { ...first, preview_token: `${token.slice(0, -4)}AAAA` }],
      [poster, { ...first, preview_token: 'eyJ9' }],
    ];
    for (const [account, args] of wrong) assert.equal(await codeOf(account, 'choose_winner', args), 'VALIDATION_ERROR');
    const choice = { name: 'choose_winner', arguments: { ...first, preview_token: token } };
    await clock.at(end, async () =>
      assert.match(errorOf(await poster.client.callTool(choice)).message, /older than 10 minutes/),
    );
    await clock.at(Date.parse(end) - 1, async () =>
      assert.equal((await useTool(poster.client, 'choose_winner', choice.arguments)).chosen, true),
    );
  });
});
