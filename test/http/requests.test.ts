import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig } from '../../server/config.ts';
import { createShareAcrossOrigins } from '../../server/http/cross-origin.ts';
import { call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { createIntent, expectStatus, openProject, registerAgent, requestUpload } from '../support/clients/journey.ts';
import { browsersOf, cookieOf } from '../support/clients/sessions.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// What holds for requests of every kind: numbers in queries, paths without a route, and pages of other origins.

const world = await sharedWorld();
const { url, operatorKey } = world;
/** A fee that no other project has, as text like 0.2xxxxx. */
const FEE = `0.2${String(Math.floor(Math.random() * 90_000) + 10_000)}`;
const project = await openProject(world, { entryFeeUsdc: Number(FEE) });
const { key } = await registerAgent(url);

describe('numbers in queries', () => {
  const search = (query: string) => call(url, 'GET', `/agents/projects?${query}`, { key });
  const found = async (query: string) =>
    (expectStatus(await search(query), 200).body.data.projects as { id: string }[]).map(({ id }) => id);

  it('are read as JSON and Python write them', async () => {
    // A plus sign in a query means a space.
    for (const same of [`2${FEE.slice(3)}E-06`, `%2B${FEE}`, `+${FEE}`])
      assert.deepEqual(await found(`min_entry_fee=${same}&max_entry_fee=${same}`), [project.id], same);
    for (const above of ['1e+16', '1e%2B16']) assert.deepEqual(await found(`min_prize_amount=${above}`), [], above);
    assert.equal((await found('limit=+1')).length, 1);
    codeIs(await search('max_entry_fee=1e-7'), 400, 'INVALID_PARAMETER', /max_entry_fee/);
    codeIs(await search('limit=1.5'), 400, 'INVALID_PARAMETER', /limit: 1 to 50/);
  });
});

it('a request with an empty id names the parameter: INVALID_PARAMETER', async () => {
  const refused = await call(url, 'GET', '/agents/projects/', { key });
  codeIs(refused, 400, 'INVALID_PARAMETER', /projectId/);
  assert.deepEqual(refused.body.error.details, [{ field: 'projectId', message: 'required' }]);
});

/** Another port is another origin. */
const PAGE = 'http://127.0.0.1:9';
const FOREIGN = 'https://app.example';
const ALLOW = 'access-control-allow-origin';
const listOf = (headers: Headers, name: string) => (headers.get(name) ?? '').toLowerCase().split(', ');

/** Clients of x402 put a header of answers on the request, too. */
const REQUESTED = 'access-control-expose-headers,authorization,payment-signature,x-of-tomorrow';

async function preflight(path: string, { origin = PAGE, method = 'GET' } = {}): Promise<Response> {
  const asked = { origin, 'access-control-request-method': method, 'access-control-request-headers': REQUESTED };
  return await fetch(url + path, { method: 'OPTIONS', headers: asked });
}

/** Asserts that no header lets a page of another origin read the answer. */
function assertHidden({ headers }: { headers: Headers }, what: string): void {
  for (const name of headers.keys()) assert.doesNotMatch(name, /^access-control-/, what);
}

describe('a page of another origin', () => {
  it('may send every header that it asks for, and no credentials', async () => {
    for (const [path, method] of [
      ['/api/v1/agents/me', 'GET'],
      ['/api/v1/agents/me/webhooks/1', 'PATCH'],
      ['/storage/uploads/a', 'PUT'],
      ['/originals/a/1', 'GET'],
      ['/mcp', 'POST'],
    ] as const) {
      const { status, headers, body } = await preflight(path, { method });
      assert.deepEqual([status, headers.get(ALLOW), body], [204, '*', null], path);
      assert.ok(listOf(headers, 'access-control-allow-methods').includes(method.toLowerCase()), path);
      assert.equal(headers.get('access-control-allow-headers'), REQUESTED);
      assert.equal(headers.get('access-control-allow-credentials'), null);
    }
  });

  it('reads every header of the contract, also of refusals, of streams, and of unknown paths', async () => {
    const document = await fetch(`${url}/api/v1/openapi.json`);
    const { components } = (await document.json()) as { components: { headers: object } };
    const needed = Object.keys(components.headers).filter((name) => name !== 'Set-Cookie');
    assert.ok(needed.length > 10);
    const { id: submissionId } = await createIntent(url, key, project.id);
    const headers = { origin: PAGE };
    const stream = await fetch(`${url}/api/v1/agents/me/events?after=now`, {
      headers: { ...headers, accept: 'text/event-stream', authorization: `Bearer ${key}` },
    });
    const missing = await fetch(`${url}/api/v1/none`, { headers });
    const answers = [
      await call(url, 'GET', '/agents/me', { key, headers }),
      await requestUpload(url, { key, projectId: project.id, submissionId, sizeBytes: 1_000, headers }),
      await call(url, 'GET', '/agents/me', { key: 'wrong', headers }),
      missing,
      stream,
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 402, 401, 404, 200],
    );
    for (const { status, headers: got } of answers) {
      assert.equal(got.get(ALLOW), '*', `${status}`);
      assert.equal(got.get('access-control-allow-credentials'), null);
      for (const name of [...needed, 'X-Events-Truncated', 'Date'])
        assert.ok(listOf(got, 'access-control-expose-headers').includes(name.toLowerCase()), `${status} ${name}`);
    }
    for (const { body } of [stream, missing]) await body?.cancel();
  });

  it('gains nothing from a session', async () => {
    const cookie = cookieOf(await browsersOf(url).signIn());
    assert.equal((await call(url, 'GET', '/posters/session', { headers: { cookie } })).status, 200);
    // The browser may send the cookie, but the page cannot read the answer.
    assertHidden(await call(url, 'GET', '/posters/session', { headers: { cookie, origin: PAGE } }), 'a read');
    const change = await call(url, 'POST', '/posters/me/projects', { body: {}, headers: { cookie, origin: PAGE } });
    codeIs(change, 403, 'ORIGIN_FORBIDDEN');
    assertHidden(change, 'a change');
  });

  it('reads nothing of the operator, and nothing but the API', async () => {
    assertHidden(
      await call(url, 'GET', '/operator/ledger', { key: operatorKey, headers: { origin: PAGE } }),
      'operator',
    );
    for (const path of ['/api/v1/operator/ledger', '/mcp/x', '/metrics', '/', '/mail/verify/x'])
      assertHidden(await preflight(path), path);
    for (const path of ['/healthz', '/version'])
      assertHidden(await fetch(url + path, { headers: { origin: PAGE } }), path);
  });

  it('is of this machine in a development start, and anywhere in production', async () => {
    for (const origin of [FOREIGN, 'null', 'http://127.0.0.1.evil.example', 'https://localhost.example', 'nonsense']) {
      assertHidden(await preflight('/api/v1/agents/me', { origin }), origin);
      assertHidden(await call(url, 'GET', '/network', { headers: { origin } }), origin);
    }
    for (const origin of ['http://localhost:5173', 'http://app.localhost', 'https://[::1]:8'])
      assert.equal((await call(url, 'GET', '/network', { headers: { origin } })).headers.get(ALLOW), '*', origin);
    const share = createShareAcrossOrigins({ config: { ...readConfig({}), development: false } });
    const given = new Map<string, unknown>();
    const answered = share(
      { method: 'GET', url: '/api/v1/network', headers: { origin: FOREIGN } },
      { setHeader: (name, value) => given.set(name, value), writeHead: () => assert.fail('answered') },
    );
    assert.deepEqual([answered, given.get('Access-Control-Allow-Origin')], [false, '*']);
  });
});
