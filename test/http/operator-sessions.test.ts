import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { issueKey } from '../../server/keys/format.ts';
import { listen } from '../../server/http/server.ts';
import { createService } from '../../server/service.ts';
import { everyOperation, notSeen } from '../support/clients/check-answer.ts';
import { type Answer, type Call, call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, registerAgent } from '../support/clients/journey.ts';
import { enrolled, newOperator, type Operator } from '../support/clients/operators.ts';
import { callOperation } from '../support/clients/requests.ts';
import { browsersOf, cookieOf } from '../support/clients/sessions.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Browser sessions of operators.

const world = await startWorld({ env: { LIMIT_REGISTRATIONS_PER_HOUR: '1000' } });
const { url, service, operatorKey, clock, errors, logLines } = world;
const MINUTE_MS = 60_000;
/** Caches of sessions forget after 900 ms. */
const SECOND_MS = 1_000;
const PATH = '/operator/session';
const { browser, signIn: posterSignsIn } = browsersOf(url);

const begin = (key: string, options: Call = {}, at = url) =>
  call(at, 'POST', PATH, { ...options, body: { api_key: key } });
const byKey = async (key: string, at = url) => cookieOf(expectStatus(await begin(key, {}, at), 200));
const keep = (cookie: string, at = url) => call(at, 'GET', PATH, { headers: { cookie } });
const read = (cookie: string, at = url) => call(at, 'GET', '/operator/me', { headers: { cookie } });
const signOut = (cookie: string, query = '') => call(url, 'DELETE', `${PATH}${query}`, browser(cookie));
const over = (answer: Answer) => codeIs(answer, 401, 'UNAUTHORIZED', /session is over/);
const revoke = async ({ name }: Operator) =>
  expectStatus(
    await call(url, 'POST', `/operator/operators/${name}/revoke`, { key: operatorKey, body: { reason: 'Left' } }),
    200,
  );

/** Another process of the service, perhaps with another OPERATOR_KEY. */
async function secondProcess(key = operatorKey): Promise<string> {
  const other = createService(service.deps, { operatorKey: key });
  const listener = await listen(other.app, { host: '127.0.0.1', port: 0 });
  after(() => listener.close(0));
  after(() => other.app.stop());
  return `http://127.0.0.1:${listener.port}`;
}

describe('an operator signs in', () => {
  it('with a key, works by the cookie with the scopes of the key, and signs out', async () => {
    const ada = await newOperator(world, 'support');
    const signedIn = expectStatus(await begin(ada.key), 200);
    const [set, ...more] = signedIn.headers.getSetCookie();
    assert.match(set!, /^operator_session=cd_test_\w+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
    assert.deepEqual(more, []);
    assert.doesNotMatch(JSON.stringify(signedIn.body), /cd_test/);
    const cookie = cookieOf(signedIn);
    assert.deepEqual([(await read(cookie)).body.data.name, signedIn.body.data.name], [ada.name, ada.name]);
    const agent = await registerAgent(url);
    const status = { status: 'limited', reason: 'A test' };
    const path = `/operator/agents/${agent.id}/status`;
    expectStatus(await call(url, 'PUT', path, { ...browser(cookie), body: status }), 200);
    const [line] = expectStatus(
      await call(url, 'GET', `/operator/audit?subject=agent:${agent.id}`, { headers: { cookie } }),
      200,
    ).body.data.entries;
    assert.equal(line.actor, `operator:${ada.name}`);
    codeIs(
      await call(url, 'POST', '/operator/payouts/release', { ...browser(cookie), body: { reason: 'A test' } }),
      403,
      'OPERATOR_SCOPE',
    );
    const out = expectStatus(await signOut(cookie), 200);
    assert.equal(out.body.data.ended, 1);
    assert.deepEqual(out.headers.getSetCookie(), ['operator_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict']);
    over(await read(cookie));
  });

  it('and still gives a code for each act that needs one', async () => {
    const ada = await newOperator(world, 'money');
    const codeOf = await enrolled(world, ada);
    const cookie = await byKey(ada.key);
    const release = (headers: Record<string, string> = {}) => {
      const own = browser(cookie);
      return call(url, 'POST', '/operator/payouts/release', {
        headers: { ...own.headers, ...headers },
        body: { reason: 'A test' },
      });
    };
    codeIs(await release(), 403, 'OPERATOR_CODE_REQUIRED');
    clock.offsetMs += MINUTE_MS;
    expectStatus(await release({ 'x-operator-code': codeOf() }), 200);
  });

  it('not with a key that is wrong, revoked, or of another kind', async () => {
    const ada = await newOperator(world, 'read');
    await revoke(ada);
    clock.offsetMs += SECOND_MS;
    const { key: agentKey } = await registerAgent(url);
    for (const key of [ada.key, agentKey, issueKey('co_test', randomBytes).key, 'nonsense'])
      codeIs(await begin(key), 401, 'INVALID_API_KEY');
    codeIs(await begin(''), 400, 'VALIDATION_ERROR');
  });
});

describe('a session of an operator', () => {
  it('ends 30 minutes after a person was there; refreshing pages do not keep it', async () => {
    const cookie = await byKey(operatorKey);
    for (let minutes = 0; minutes < 29; minutes += 7) {
      clock.offsetMs += 7 * MINUTE_MS;
      if (minutes < 28) assert.equal((await read(cookie)).status, 200);
    }
    over(await read(cookie));
    const kept = await byKey(operatorKey);
    for (let times = 0; times < 3; times += 1) {
      clock.offsetMs += 29 * MINUTE_MS;
      assert.equal((await keep(kept)).status, 200);
    }
    assert.equal((await read(kept)).status, 200);
    clock.offsetMs += 30 * MINUTE_MS;
    over(await read(kept));
  });

  it('ends after 12 hours, whatever a person does', async () => {
    const cookie = await byKey(operatorKey);
    let last = '';
    for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
      clock.offsetMs += 20 * MINUTE_MS;
      last = expectStatus(await keep(cookie), 200).body.data.session.expires_at;
    }
    assert.ok(Date.parse(last) - clock.now().getTime() <= 20 * MINUTE_MS, last);
    clock.offsetMs += 20 * MINUTE_MS;
    over(await keep(cookie));
  });

  it('ends with the key, in every process', async () => {
    const ada = await newOperator(world, 'read');
    const other = await secondProcess();
    const cookie = await byKey(ada.key);
    assert.equal((await read(cookie, other)).status, 200);
    await revoke(ada);
    clock.offsetMs += SECOND_MS;
    for (const at of [url, other]) over(await read(cookie, at));
  });

  it('of OPERATOR_KEY ends when the setting changes', async () => {
    const cookie = await byKey(operatorKey);
    const other = await secondProcess(`another ${operatorKey}`);
    over(await read(cookie, other));
    assert.equal((await read(cookie)).status, 200);
  });

  it('ends alone, or everywhere, or by the key', async () => {
    const ada = await newOperator(world, 'read');
    const [one, two, three] = [await byKey(ada.key), await byKey(ada.key), await byKey(ada.key)];
    const foreign = await byKey(operatorKey);
    assert.equal((await signOut(one)).body.data.ended, 1);
    over(await read(one));
    assert.equal((await read(two)).status, 200);
    assert.equal((await signOut(two, '?everywhere=true')).body.data.ended, 2);
    clock.offsetMs += SECOND_MS;
    for (const cookie of [two, three]) over(await read(cookie));
    assert.equal((await read(foreign)).status, 200);
    const last = await byKey(ada.key);
    assert.equal((await call(url, 'DELETE', PATH, { key: ada.key })).body.data.ended, 1);
    over(await read(last));
    codeIs(await call(url, 'DELETE', `${PATH}?everywhere=1`, { key: ada.key }), 400, 'INVALID_PARAMETER');
  });

  it('is one of at most 10: the oldest ends', async () => {
    const ada = await newOperator(world, 'read');
    const cookies: string[] = [];
    for (let count = 0; count < 11; count += 1) {
      cookies.push(await byKey(ada.key));
      clock.offsetMs += SECOND_MS;
    }
    const statuses = await Promise.all(cookies.map(async (cookie) => (await read(cookie)).status));
    assert.deepEqual(statuses, [401, ...Array.from({ length: 10 }, () => 200)]);
  });

  it('changes nothing for pages of other sites', async () => {
    const cookie = await byKey(operatorKey);
    const changing = everyOperation.filter(({ auth, method }) => auth === 'operator' && method !== 'get');
    for (const headers of [{}, { origin: 'https://evil.test' }, { origin: url, 'sec-fetch-site': 'same-site' }])
      for (const spec of changing) {
        const answer = await callOperation(url, spec, { headers: { cookie, ...headers } });
        codeIs(answer, 403, 'ORIGIN_FORBIDDEN', /pages of this service/);
      }
    codeIs(await begin(operatorKey, { headers: { origin: 'https://evil.test' } }), 403, 'ORIGIN_FORBIDDEN');
    assert.equal((await read(cookie)).status, 200);
  });

  it('is refused by every operation of operators if it is forged, of another kind, or ambiguous', async () => {
    const [good, second] = [await byKey(operatorKey), await byKey(operatorKey)];
    const posters = cookieOf(await posterSignsIn());
    const wrong = [
      'operator_session=nonsense',
      `operator_session=${issueKey('cd_test', randomBytes).key}`,
      `operator_session=${issueKey('cd_live', randomBytes).key}`,
      `operator_session=${operatorKey}`,
      posters.replace('poster_', 'operator_'),
      good.slice(0, -1),
      `${good}; ${second}`,
    ];
    const ofOperators = everyOperation.filter(({ auth }) => auth === 'operator');
    for (const cookie of wrong) {
      const operations = cookie === wrong[1] ? ofOperators : ofOperators.slice(0, 3);
      for (const spec of operations)
        assert.equal((await callOperation(url, spec, browser(cookie))).status, 401, spec.id);
    }
    // It signs nobody else in, and opens no metrics.
    codeIs(await call(url, 'GET', '/posters/session', { headers: { cookie: good } }), 401, 'UNAUTHORIZED');
    codeIs(await call(url, 'GET', '/agents/session', { headers: { cookie: good } }), 401, 'UNAUTHORIZED');
    assert.equal((await read(`${posters}; ${good}`)).status, 200);
  });
});

it('the service wrote no token to the log, and the tests received every answer of these operations', async () => {
  const token = (await byKey(operatorKey)).split('=')[1]!;
  const log = logLines.join('\n');
  for (const secret of [token, token.slice(31), operatorKey]) assert.ok(!log.includes(secret));
  assert.deepEqual(notSeen('createOperatorSession', 'getOperatorSession', 'deleteOperatorSession'), []);
  assert.deepEqual(errors, []);
});
