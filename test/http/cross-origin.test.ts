import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createShareAcrossOrigins } from '../../server/http/cross-origin.ts';
import { call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { createIntent, openProject, registerAgent, requestUpload } from '../support/clients/journey.ts';
import { browsersOf, cookieOf } from '../support/clients/sessions.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld();
const { url, operatorKey, errors } = world;
const { signIn } = browsersOf(url);
/** Another port is another origin. */
const PAGE = 'http://127.0.0.1:9';
const FOREIGN = 'https://app.example';

const ALLOW = 'access-control-allow-origin';
const EXPOSE = 'access-control-expose-headers';
const listOf = (headers: Headers, name: string) => (headers.get(name) ?? '').toLowerCase().split(', ');

async function preflight(path: string, { origin = PAGE, method = 'GET' } = {}): Promise<Response> {
  const asked = { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' };
  return await fetch(url + path, { method: 'OPTIONS', headers: asked });
}

/** Asserts that no header lets a page of another origin read the answer. */
function assertHidden({ headers }: { headers: Headers }, what: string): void {
  for (const name of headers.keys()) assert.doesNotMatch(name, /^access-control-/, what);
}

describe('a page of another origin', () => {
  it('may send every header that a client needs, and no credentials', async () => {
    const { key } = await registerAgent(url);
    for (const [path, method] of [
      ['/api/v1/agents/me', 'GET'],
      ['/api/v1/agents/me/webhooks/1', 'PATCH'],
      ['/storage/uploads/a', 'PUT'],
      ['/originals/a/1', 'GET'],
    ] as const) {
      const { status, headers, body } = await preflight(path, { method });
      assert.deepEqual([status, headers.get(ALLOW), body], [204, '*', null], path);
      assert.ok(listOf(headers, 'access-control-allow-methods').includes(method.toLowerCase()), path);
      const names = [
        'authorization',
        'content-type',
        'idempotency-key',
        'payment-signature',
        'x-payment',
        'last-event-id',
      ];
      for (const name of [...names, 'x-forwarded-for'])
        assert.ok(listOf(headers, 'access-control-allow-headers').includes(name), name);
      assert.equal(headers.get('access-control-allow-credentials'), null);
    }
    const { status, headers } = await call(url, 'GET', '/agents/me', { key, headers: { origin: PAGE } });
    assert.deepEqual([status, headers.get(ALLOW)], [200, '*']);
    assert.equal(headers.get('access-control-allow-credentials'), null);
  });

  it('reads every header of the contract, also of refusals, of streams, and of unknown paths', async () => {
    const { key } = await registerAgent(url);
    const document = await fetch(`${url}/api/v1/openapi.json`);
    const { components } = (await document.json()) as { components: { headers: object } };
    const needed = Object.keys(components.headers).filter((name) => name !== 'Set-Cookie');
    assert.ok(needed.length > 10);
    const project = await openProject(world, { entryFeeUsdc: 0.25 });
    const { id: submissionId } = await createIntent(url, key, project.id);
    const asked = { key, projectId: project.id, submissionId, sizeBytes: 1_000, headers: { origin: PAGE } };
    const unpaid = await requestUpload(url, asked);
    const wrongKey = await call(url, 'GET', '/agents/me', { key: 'wrong', headers: { origin: PAGE } });
    const missing = await fetch(`${url}/api/v1/none`, { headers: { origin: PAGE } });
    const stream = await fetch(`${url}/api/v1/agents/me/events?after=now`, {
      headers: { origin: PAGE, accept: 'text/event-stream', authorization: `Bearer ${key}` },
    });
    const broken = await fetch(`${url}/api/v1/agents/me`, { headers: { origin: PAGE, 'x-long': 'a'.repeat(9_000) } });
    const answers = [unpaid, wrongKey, missing, stream, broken];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [402, 401, 404, 200, 401],
    );
    for (const { status, headers } of answers) {
      assert.equal(headers.get(ALLOW), '*', `${status}`);
      for (const name of [...needed, 'X-Events-Truncated', 'Date'])
        assert.ok(listOf(headers, EXPOSE).includes(name.toLowerCase()), `${status} ${name}`);
    }
    for (const { body } of [stream, missing, broken]) await body?.cancel();
  });

  it('gains nothing from a session', async () => {
    const cookie = cookieOf(await signIn());
    const own = await call(url, 'GET', '/posters/session', { headers: { cookie } });
    assert.equal(own.status, 200);
    // The browser may send the cookie, but the page cannot read the answer.
    assertHidden(await call(url, 'GET', '/posters/session', { headers: { cookie, origin: PAGE } }), 'a read');
    const change = await call(url, 'POST', '/posters/me/projects', { body: {}, headers: { cookie, origin: PAGE } });
    codeIs(change, 403, 'ORIGIN_FORBIDDEN');
    assertHidden(change, 'a change');
    const without = await call(url, 'GET', '/posters/session', { headers: { origin: PAGE } });
    assert.deepEqual([without.status, without.headers.get(ALLOW)], [401, '*']);
  });

  it('reads nothing of the operator, and nothing but the API', async () => {
    const asked = { key: operatorKey, headers: { origin: PAGE } };
    assertHidden(await call(url, 'GET', '/operator/overview', asked), 'operator');
    for (const path of ['/api/v1/operator/overview', '/api/v1/operator', '/mcp', '/metrics', '/', '/mail/verify/x'])
      assertHidden(await preflight(path), path);
    for (const path of ['/healthz', '/version', '/mcp'])
      assertHidden(await fetch(url + path, { headers: { origin: PAGE } }), path);
  });

  it('is of this machine in a development start, and anywhere in production', async () => {
    for (const origin of [FOREIGN, 'null', 'http://127.0.0.1.evil.example', 'https://localhost.example', 'nonsense']) {
      assertHidden(await preflight('/api/v1/agents/me', { origin }), origin);
      assertHidden(await call(url, 'GET', '/network', { headers: { origin } }), origin);
    }
    for (const origin of ['http://localhost:5173', 'http://app.localhost', 'https://[::1]:8'])
      assert.equal((await call(url, 'GET', '/network', { headers: { origin } })).headers.get(ALLOW), '*', origin);
    const { config } = world.service.deps;
    const share = createShareAcrossOrigins({ config: { ...config, development: false } });
    const given = new Map<string, unknown>();
    const answered = share(
      { method: 'GET', url: '/api/v1/network', headers: { origin: FOREIGN } },
      { setHeader: (name, value) => given.set(name, value), writeHead: () => assert.fail('answered') },
    );
    assert.deepEqual([answered, given.get('Access-Control-Allow-Origin')], [false, '*']);
  });
});

it('logs no errors', () => assert.deepEqual(errors, []));
