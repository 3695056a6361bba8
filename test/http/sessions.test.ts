import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { OperationSpec } from '../../contract/basics/operation.ts';
import { issueKey } from '../../server/keys/format.ts';
import { listen } from '../../server/http/server.ts';
import { ChainUnavailable } from '../../server/ports/chain.ts';
import { createService } from '../../server/service.ts';
import { call, newPayer } from '../support/clients/client.ts';
import { everyOperation, notSeen } from '../support/clients/check-answer.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, registerPoster } from '../support/clients/journey.ts';
import { callOperation } from '../support/clients/requests.ts';
import { contractSignature, contractWallet } from '../support/clients/wallets.ts';
import { browsersOf, cookieOf } from '../support/clients/sessions.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// This machine's own addresses act as the proxy, so that a test can send requests from other addresses.
const env = { TRUSTED_PROXIES: '127.0.0.0/8', LIMIT_POSTER_PER_MINUTE: '100000', LIMIT_SIGN_INS_PER_HOUR: '6' };
let chainIsGone = false;
const world = await startWorld({
  env,
  logLevel: 'debug',
  wrap: ({ chain }) => ({
    chain: {
      ...chain,
      verifyMessage: (signed) => (chainIsGone ? Promise.reject(new ChainUnavailable()) : chain.verifyMessage(signed)),
    },
  }),
});
const { url, service, operatorKey, clock, chain, errors, logLines } = world;
const DAY_MS = 86_400_000;

const ofPosters = everyOperation.filter((spec) => spec.auth === 'poster');
const { challenge, begin, signIn, browser, readSession, draft, ownProjects } = browsersOf(url);

describe('a browser signs in', () => {
  it('with a wallet, works by its cookie, and signs out', async () => {
    const payer = newPayer();
    const signedIn = await signIn(payer);
    const [set, ...more] = signedIn.headers.getSetCookie();
    assert.match(set!, /^poster_session=cs_test_\w+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
    assert.deepEqual(more, []);
    const cookie = cookieOf(signedIn);
    // No body contains the token.
    assert.doesNotMatch(JSON.stringify(signedIn.body), /cs_test/);
    const { message: _, ...shown } = signedIn.body.data;
    assert.deepEqual((await readSession(cookie)).body.data, shown);
    assert.deepEqual([shown.poster.wallet_address, shown.session.signed_in_with], [payer.address, 'wallet']);
    const { id } = expectStatus(await draft(browser(cookie)), 201).body.data.project;
    assert.deepEqual(
      (await ownProjects({ headers: { cookie } })).map((project) => project.id),
      [id],
    );
    const out = await call(url, 'DELETE', '/posters/session', browser(cookie));
    assert.deepEqual([out.status, out.body.data.ended], [200, 1]);
    assert.deepEqual(out.headers.getSetCookie(), ['poster_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']);
    codeIs(await readSession(cookie), 401, 'UNAUTHORIZED', /session is over/);
    // Signing in again gives the same poster.
    assert.equal((await signIn(payer)).body.data.poster.id, shown.poster.id);
  });

  it('with a contract wallet', async () => {
    const payer = newPayer();
    const address = await contractWallet(chain.rpcUrl, payer);
    const message = await challenge(address);
    const plain = await payer.account.signMessage({ message });
    codeIs(await begin({ message, signature: plain }), 400, 'WALLET_CHALLENGE_INVALID');
    const signature = await contractSignature(payer, message);
    const { poster } = expectStatus(await begin({ message, signature }), 200).body.data;
    assert.equal(poster.wallet_address, address);
  });

  it('with a key, which the browser need not keep', async () => {
    const { id, key } = await registerPoster(url);
    const signedIn = expectStatus(await begin({ api_key: key }), 200);
    assert.deepEqual([signedIn.body.data.poster.id, signedIn.body.data.session.signed_in_with], [id, 'key']);
    const cookie = cookieOf(signedIn);
    assert.equal((await readSession(cookie)).status, 200);
    const byKey = (await call(url, 'GET', '/posters/session', { key })).body.data;
    assert.deepEqual([byKey.poster.id, byKey.session], [id, null]);
    // The key can end the session from anywhere.
    assert.equal((await call(url, 'DELETE', '/posters/session', { key })).body.data.ended, 1);
    codeIs(await readSession(cookie), 401, 'UNAUTHORIZED');
    codeIs(await begin({ api_key: 'cp_test_0' }), 401, 'INVALID_API_KEY', /^Invalid API key$/);
  });

  it('once per challenge, and only with its text', async () => {
    const { account, address } = newPayer();
    const message = await challenge(address);
    const signature = await account.signMessage({ message });
    expectStatus(await begin({ message, signature }), 200);
    codeIs(await begin({ message, signature }), 400, 'WALLET_CHALLENGE_INVALID');
    codeIs(await begin({ message: 'Let me in', signature }), 400, 'VALIDATION_ERROR', /message: /);
    codeIs(await begin({ signature }), 400, 'VALIDATION_ERROR', /either api_key, or message and signature/);
    const late = await challenge(address);
    clock.offsetMs += 600_000;
    const refused = await begin({ message: late, signature: await account.signMessage({ message: late }) });
    codeIs(refused, 400, 'WALLET_CHALLENGE_INVALID', /expired/);
  });

  it('later if the chain does not answer: 503, and the same signature stays valid', async () => {
    const payer = newPayer();
    const message = await challenge(await contractWallet(chain.rpcUrl, payer));
    const signature = await contractSignature(payer, message);
    chainIsGone = true;
    codeIs(await begin({ message, signature }), 503, 'INTERNAL_ERROR');
    chainIsGone = false;
    assert.equal((await begin({ message, signature })).status, 200);
    assert.equal(errors.splice(0).length, 1);
  });

  it('and gets a new token, so nobody can plant one', async () => {
    const planted = `poster_session=${issueKey('cs_test', randomBytes).key}`;
    const attacker = cookieOf(await signIn());
    for (const before of [planted, attacker]) {
      const signedIn = await signIn(newPayer(), browser(before));
      const cookie = cookieOf(signedIn);
      assert.notEqual(cookie, before);
      assert.equal((await readSession(cookie)).body.data.poster.id, signedIn.body.data.poster.id);
    }
    codeIs(await readSession(planted), 401, 'UNAUTHORIZED');
    assert.equal((await readSession(attacker)).status, 200);
  });

  it('over HTTPS with a cookie that only this host can set and only TLS carries', async () => {
    const publicUrl = 'https://concours.test';
    const config = { ...service.deps.config, development: false };
    const production = createService({ ...service.deps, config, publicUrl }, { operatorKey });
    const listener = await listen(production.app, { host: '127.0.0.1', port: 0 });
    after(() => listener.close(0));
    after(() => production.app.stop());
    const at = `http://127.0.0.1:${listener.port}`;
    const { account, address } = newPayer();
    const message = await challenge(address, at);
    assert.match(message, /^concours\.test wants you to sign in/);
    const signature = await account.signMessage({ message });
    for (const origin of [
      at,
      `http://localhost:${listener.port}`,
      'http://concours.test',
      'https://concours.test:8443',
    ])
      codeIs(await begin({ message, signature }, at, browser('', origin)), 403, 'ORIGIN_FORBIDDEN');
    const answer = expectStatus(await begin({ message, signature }, at, browser('', publicUrl)), 200);
    const set = answer.headers.getSetCookie()[0]!;
    assert.match(set, /^__Host-poster_session=cs_test_\w+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
    const cookie = cookieOf(answer);
    assert.equal((await call(at, 'GET', '/posters/session', { headers: { cookie } })).status, 200);
    // A neighboring host can set a cookie without the prefix in its name.
    const unmarked = cookie.replace('__Host-', '');
    codeIs(await call(at, 'GET', '/posters/session', { headers: { cookie: unmarked } }), 401, 'UNAUTHORIZED');
    const out = await call(at, 'DELETE', '/posters/session', browser(cookie, publicUrl));
    assert.match(out.headers.getSetCookie()[0]!, /^__Host-poster_session=; Max-Age=0; .*; Secure$/);
  });
});

describe('a session', () => {
  it('belongs to its poster: another poster’s projects do not exist for it', async () => {
    const [mine, theirs] = [cookieOf(await signIn()), cookieOf(await signIn())];
    const { id } = expectStatus(await draft(browser(mine)), 201).body.data.project;
    codeIs(
      await call(url, 'GET', `/posters/me/projects/${id}`, { headers: { cookie: theirs } }),
      404,
      'PROJECT_NOT_FOUND',
    );
    codeIs(await call(url, 'DELETE', `/posters/me/projects/${id}`, browser(theirs)), 404, 'PROJECT_NOT_FOUND');
    assert.deepEqual(await ownProjects({ headers: { cookie: theirs } }), []);
    // Signing out everywhere leaves the other poster signed in.
    assert.equal((await call(url, 'DELETE', '/posters/session?everywhere=true', browser(theirs))).body.data.ended, 1);
    assert.equal((await readSession(mine)).status, 200);
    codeIs(await call(url, 'DELETE', '/posters/session?everywhere=1', browser(mine)), 400, 'INVALID_PARAMETER');
  });

  it('is refused by every operation if it is wrong, expired, or ambiguous', async () => {
    const [ended, good, other] = [cookieOf(await signIn()), cookieOf(await signIn()), cookieOf(await signIn())];
    expectStatus(await call(url, 'DELETE', '/posters/session', browser(ended)), 200);
    const wrong = [
      ended,
      'poster_session=',
      'poster_session=nonsense',
      `poster_session=${issueKey('cs_test', randomBytes).key}`,
      `poster_session=${issueKey('cs_live', randomBytes).key}`,
      `poster_session=${(await registerPoster(url)).key}`,
      good.slice(0, -1),
      good.toUpperCase(),
      good.replace('poster_session', 'Poster_Session'),
      `${good}; ${other}`,
    ];
    for (const cookie of wrong)
      for (const spec of ofPosters) codeIs(await callOperation(url, spec, browser(cookie)), 401, 'UNAUTHORIZED');
    assert.equal((await readSession(`theme=dark; ${good}; a=b`)).status, 200);
  });

  it('ends one day after its last use', async () => {
    const cookie = cookieOf(await signIn());
    clock.offsetMs += DAY_MS - 60_000;
    assert.equal((await readSession(cookie)).status, 200);
    clock.offsetMs += DAY_MS - 60_000;
    assert.equal((await readSession(cookie)).status, 200);
    clock.offsetMs += DAY_MS;
    codeIs(await readSession(cookie), 401, 'UNAUTHORIZED');
  });

  it('counts against the limit of its address if it is wrong; a valid session always passes', async () => {
    const cookie = cookieOf(await signIn());
    const from = { 'x-forwarded-for': '198.51.100.7' };
    const guess = () => readSession(`poster_session=${issueKey('cs_test', randomBytes).key}`, from);
    for (let count = 0; count < 60; count += 1) codeIs(await guess(), 401, 'UNAUTHORIZED');
    codeIs(await guess(), 429, 'RATE_LIMIT_EXCEEDED', /invalid key/);
    assert.equal((await readSession(cookie, from)).status, 200);
  });

  it('begins at most as often per address as the limit allows, including challenges', async () => {
    const from = { headers: { 'x-forwarded-for': '198.51.100.8' } };
    const { account, address } = newPayer();
    for (let count = 0; count < 3; count += 1) {
      const message = await challenge(address, url, from);
      expectStatus(await begin({ message, signature: await account.signMessage({ message }) }, url, from), 200);
    }
    for (const answer of [
      await call(url, 'POST', '/posters/session/challenge', { ...from, body: { address } }),
      await begin({ api_key: 'guess' }, url, from),
    ])
      codeIs(answer, 429, 'RATE_LIMIT_EXCEEDED', /sign-ins from this address/);
    const message = await challenge(address, url, { headers: { 'x-forwarded-for': '198.51.100.9' } });
    assert.ok(message);
  });
});

it('is an alternative to the key in the document, for every operation that takes a key', async () => {
  const document = (await (await fetch(`${url}/api/v1/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { security: object[]; responses: Record<string, { headers: object }> }>>;
    components: { securitySchemes: Record<string, object> };
  };
  const { description: _, ...scheme } = document.components.securitySchemes['posterSession'] as Record<string, string>;
  assert.deepEqual(scheme, { type: 'apiKey', in: 'cookie', name: 'poster_session' });
  const security = ({ path, method }: OperationSpec) => document.paths[path]?.[method]?.security;
  for (const spec of everyOperation) {
    const { auth } = spec;
    if (auth !== 'public')
      assert.deepEqual(security(spec), [{ [`${auth}Key`]: [] }, { [`${auth}Session`]: [] }], spec.id);
    else assert.doesNotMatch(JSON.stringify(security(spec)), /Session/, spec.id);
  }
  assert.ok('Set-Cookie' in document.paths['/posters/session']!['post']!.responses['200']!.headers);
});

it('the service wrote no token, key, or signature to the log', async () => {
  const payer = newPayer();
  const message = await challenge(payer.address);
  const signature = await payer.account.signMessage({ message });
  const token = cookieOf(expectStatus(await begin({ message, signature }), 200)).split('=')[1]!;
  const { key } = await registerPoster(url);
  expectStatus(await begin({ api_key: key }), 200);
  const log = logLines.join('\n');
  assert.ok(log.includes('createSession'));
  for (const secret of [token, token.slice(31), key, signature]) assert.ok(!log.includes(secret), secret.slice(0, 8));
});

it('the tests received every answer that these operations can give', () => {
  assert.deepEqual(notSeen('challengeSession', 'createSession', 'getSession', 'deleteSession'), []);
  assert.deepEqual(errors, []);
});
