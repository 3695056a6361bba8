import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call, fund, newPayer } from '../support/clients/client.ts';
import { everyOperation } from '../support/clients/check-answer.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, registerPoster } from '../support/clients/journey.ts';
import { callOperation } from '../support/clients/requests.ts';
import { browsersOf, cookieOf } from '../support/clients/sessions.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld({ env: { LIMIT_POSTER_PER_MINUTE: '100000' } });
const { url, errors } = world;
const { port } = new URL(url);
const { challenge, begin, signIn, browser, readSession, draft, ownProjects } = browsersOf(url);

const changing = everyOperation.filter((spec) => spec.auth === 'poster' && spec.method !== 'get');

describe('a change by cookie', () => {
  const foreign: Record<string, Record<string, string>> = {
    'tells no Origin': {},
    'comes from another site': { origin: 'https://evil.test' },
    'comes from another port': { origin: `http://127.0.0.1:${Number(port) + 1}` },
    'comes over another scheme': { origin: url.replace('http:', 'https:') },
    'comes from a name that begins alike': { origin: `http://127.0.0.1.evil.test:${port}` },
    'comes from a frame without an origin': { origin: 'null' },
    'comes from what is no origin': { origin: `${url}/page` },
    'comes from a neighbour, says the browser': { origin: url, 'sec-fetch-site': 'same-site' },
    'comes from another site, says the browser': { origin: url, 'sec-fetch-site': 'cross-site' },
    'only refers to a page of ours': { referer: `${url}/poster` },
  };
  for (const [what, headers] of Object.entries(foreign)) {
    it(`is refused if it ${what}: every operation of posters that changes something`, async () => {
      const cookie = cookieOf(await signIn());
      for (const spec of changing) {
        const answer = await callOperation(url, spec, { headers: { cookie, ...headers } });
        codeIs(answer, 403, 'ORIGIN_FORBIDDEN', /pages of this service/);
      }
      // The session is unchanged: the poster is still signed in.
      assert.equal((await readSession(cookie, headers)).status, 200);
    });
  }

  it('is allowed to every page of the service, under any name of this machine in a development start', async () => {
    const signedIn = await signIn();
    const names = [url, `http://localhost:${port}`, `http://[::1]:${port}`, `http://127.8.8.8:${port}`];
    for (const origin of names) assert.equal((await draft(browser(cookieOf(signedIn), origin))).status, 201, origin);
    const { origin, cookie } = browser(cookieOf(signedIn)).headers;
    assert.equal((await draft({ headers: { origin, cookie } })).status, 201);
  });

  it('is checked for its Origin before its session, so a foreign page learns nothing', async () => {
    const headers = { cookie: 'poster_session=nonsense', origin: 'https://evil.test' };
    for (const spec of changing) codeIs(await callOperation(url, spec, { headers }), 403, 'ORIGIN_FORBIDDEN');
  });

  it('refuses foreign pages at sign-in even with a valid signature, and allows programs', async () => {
    const { account, address } = newPayer();
    const message = await challenge(address);
    const body = { message, signature: await account.signMessage({ message }) };
    for (const headers of Object.values(foreign).filter((each) => each['origin'] ?? each['sec-fetch-site'])) {
      const answer = await begin(body, url, { headers });
      codeIs(answer, 403, 'ORIGIN_FORBIDDEN');
      assert.deepEqual(answer.headers.getSetCookie(), []);
    }
    codeIs(await begin(body, url, { headers: { 'sec-fetch-site': 'same-origin' } }), 403, 'ORIGIN_FORBIDDEN');
    expectStatus(await begin(body), 200);
  });

  it('pays a prize', async () => {
    const payer = newPayer();
    await fund(url, payer.address, 2);
    const cookie = cookieOf(await signIn(payer));
    const { id } = expectStatus(await draft(browser(cookie)), 201).body.data.project;
    const published = await call(url, 'POST', `/posters/me/projects/${id}/publish`, {
      ...browser(cookie),
      fetch: payer.pay,
    });
    assert.equal(expectStatus(published, 200).body.data.project.status, 'open');
  });
});

describe('a key', () => {
  it('takes precedence over a cookie and needs no Origin', async () => {
    const poster = await registerPoster(url);
    const cookie = cookieOf(await signIn());
    const { id } = expectStatus(await draft({ key: poster.key, headers: { cookie } }), 201).body.data.project;
    assert.deepEqual(
      (await ownProjects({ key: poster.key })).map((project) => project.id),
      [id],
    );
    assert.deepEqual(await ownProjects({ headers: { cookie } }), []);
    codeIs(await call(url, 'GET', '/posters/session', { key: 'wrong', headers: { cookie } }), 401, 'INVALID_API_KEY');
    const none = { cookie, authorization: 'Basic x' };
    codeIs(
      await call(url, 'GET', '/posters/session', { headers: none }),
      401,
      'UNAUTHORIZED',
      /Authentication required/,
    );
  });

  it('is required by operations of agents and operators, whatever the cookie', async () => {
    const cookie = cookieOf(await signIn());
    const others = everyOperation.filter((spec) => spec.auth === 'agent' || spec.auth === 'operator');
    assert.ok(others.length > 20);
    for (const spec of others) {
      const answer = await callOperation(url, spec, browser(cookie));
      assert.deepEqual([answer.status, answer.body.error.message], [401, 'Authentication required'], spec.id);
    }
  });
});

it('the service logged no errors', () => {
  assert.deepEqual(errors, []);
});
