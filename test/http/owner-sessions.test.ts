import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { issueKey } from '../../server/keys/format.ts';
import { listen } from '../../server/http/server.ts';
import { createService } from '../../server/service.ts';
import { everyOperation, notSeen } from '../support/clients/check-answer.ts';
import { type Answer, type Call, call, newPayer, type Payer } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, registerAgent } from '../support/clients/journey.ts';
import { callOperation, goodBodies } from '../support/clients/requests.ts';
import { browsersOf, cookieOf } from '../support/clients/sessions.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld({
  env: {
    LIMIT_SIGN_INS_PER_HOUR: '1000',
    LIMIT_AGENT_ACCOUNT_PER_MINUTE: '100000',
    LIMIT_AGENT_READS_PER_MINUTE: '100000',
    LIMIT_REGISTRATIONS_PER_HOUR: '1000',
  },
});
const { url, service, operatorKey, clock, errors, logLines } = world;
const DAY_MS = 86_400_000;
/** Caches of sessions forget after 900 ms. */
const SECOND_MS = 1_000;
const PATH = '/agents/session';
const { browser, signIn: posterSignsIn } = browsersOf(url);

const begin = (body: object, options: Call = {}, at = url) => call(at, 'POST', PATH, { ...options, body });
const read = (cookie: string, at = url) => call(at, 'GET', PATH, { headers: { cookie } });
const signOut = (cookie: string, query = '') => call(url, 'DELETE', `${PATH}${query}`, browser(cookie));
const byKey = async (key: string) => cookieOf(expectStatus(await begin({ api_key: key }), 200));
const over = (answer: Answer) => codeIs(answer, 401, 'UNAUTHORIZED', /session is over/);

async function signedMessage({ account, address }: Payer) {
  const answer = expectStatus(await call(url, 'POST', `${PATH}/challenge`, { body: { address } }), 200);
  const message = answer.body.data.message as string;
  return { message, signature: await account.signMessage({ message }) };
}

async function prove(key: string, { account, address }: Payer, current?: Payer) {
  const asked = await call(url, 'POST', '/agents/me/wallet/challenge', { key, body: { address } });
  const message = expectStatus(asked, 200).body.data.message as string;
  const body = {
    message,
    signature: await account.signMessage({ message }),
    ...(current ? { current_signature: await current.account.signMessage({ message }) } : {}),
  };
  expectStatus(await call(url, 'PUT', '/agents/me/wallet', { key, body }), 200);
}

async function agentWithWallet() {
  const agent = await registerAgent(url);
  const payer = newPayer();
  await prove(agent.key, payer);
  return { ...agent, payer };
}

async function secondProcess(): Promise<string> {
  const other = createService(service.deps, { operatorKey });
  const listener = await listen(other.app, { host: '127.0.0.1', port: 0 });
  after(() => listener.close(0));
  after(() => other.app.stop());
  return `http://127.0.0.1:${listener.port}`;
}

describe('an owner signs in', () => {
  it('with a key, works by the cookie, and signs out', async () => {
    const agent = await registerAgent(url);
    const signedIn = expectStatus(await begin({ api_key: agent.key }), 200);
    const [set, ...more] = signedIn.headers.getSetCookie();
    assert.match(set!, /^agent_session=ca_test_\w+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
    assert.deepEqual(more, []);
    assert.doesNotMatch(JSON.stringify(signedIn.body), /ca_test/);
    const cookie = cookieOf(signedIn);
    const { agent: shown, scope, session, sessions } = (await read(cookie)).body.data;
    assert.deepEqual([shown.id, scope, session.signed_in_with], [agent.id, 'owner', 'key']);
    assert.equal(session.key_id, agent.key.split('_')[2]);
    assert.deepEqual(sessions, [session]);
    const budget = { per_entry: 1, per_day: 5 };
    const saved = await call(url, 'PUT', '/agents/me/budget', { ...browser(cookie), body: budget });
    assert.equal(expectStatus(saved, 200).body.data.budget.per_day, 5);
    const out = expectStatus(await signOut(cookie), 200);
    assert.equal(out.body.data.ended, 1);
    assert.deepEqual(out.headers.getSetCookie(), ['agent_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']);
    over(await read(cookie));
    // Events are numbered in the background.
    const events = await until('the event', async () => {
      const path = '/agents/me/events?types=SESSION.STARTED';
      const found = (await call(url, 'GET', path, { key: agent.key })).body.data.events as { data: object }[];
      return found.length > 0 && found;
    });
    assert.deepEqual(
      events.map(({ data }) => data),
      [{ signed_in_with: 'key', key_id: agent.key.split('_')[2] }],
    );
  });

  it('with the proven wallet, which can replace a lost key', async () => {
    const { id, key, payer } = await agentWithWallet();
    const signed = await signedMessage(payer);
    const cookie = cookieOf(expectStatus(await begin(signed), 200));
    codeIs(await begin(signed), 400, 'WALLET_CHALLENGE_INVALID', /already used/);
    const { agent, scope, session } = (await read(cookie)).body.data;
    assert.deepEqual([agent.id, scope, session.signed_in_with, session.key_id], [id, 'owner', 'wallet', null]);
    const rotate = (body: object) => call(url, 'POST', '/agents/me/keys/rotate', { ...browser(cookie), body });
    codeIs(await rotate({}), 400, 'VALIDATION_ERROR', /key_id: /);
    const { apiKey } = expectStatus(await rotate({ key_id: key.split('_')[2] }), 200).body.data;
    assert.equal((await call(url, 'GET', '/agents/me', { key: apiKey })).status, 200);
    assert.equal((await read(cookie)).status, 200);
  });

  it('not with a wallet that no agent has proven, a wrong signature, or a message of another kind', async () => {
    const { payer } = await agentWithWallet();
    const stranger = newPayer();
    codeIs(await begin(await signedMessage(stranger)), 404, 'AGENT_NOT_FOUND', /No agent has proven/);
    const declared = newPayer();
    const body = {
      agent_name: 'Declares a wallet',
      description: 'It declares a wallet, and has not proven it yet.',
      specializations: ['logo-design'],
      wallet_address: declared.address,
    };
    expectStatus(await call(url, 'POST', '/agents/create', { body }), 201);
    codeIs(await begin(await signedMessage(declared)), 404, 'AGENT_NOT_FOUND');
    const { message } = await signedMessage(payer);
    const signature = await stranger.account.signMessage({ message });
    codeIs(await begin({ message, signature }), 400, 'WALLET_CHALLENGE_INVALID', /not valid/);
    const asked = await call(url, 'POST', '/posters/session/challenge', { body: { address: payer.address } });
    const forPosters = asked.body.data.message as string;
    const wrongKind = { message: forPosters, signature: await payer.account.signMessage({ message: forPosters }) };
    codeIs(await begin(wrongKind), 400, 'WALLET_CHALLENGE_INVALID', /unknown/);
    codeIs(await begin({ message: 'Let me in', signature }), 400, 'VALIDATION_ERROR');
    const late = await signedMessage(payer);
    clock.offsetMs += 600_000;
    codeIs(await begin(late), 400, 'WALLET_CHALLENGE_INVALID', /expired/);
  });

  it('not with a key that is unknown, of another kind, or revoked', async () => {
    const { key } = await registerAgent(url);
    const cookie = cookieOf(await posterSignsIn());
    expectStatus(await call(url, 'DELETE', `/agents/me/keys/${key.split('_')[2]}`, { key }), 200);
    for (const wrong of [key, 'ck_test_0', operatorKey, cookie.split('=')[1]!])
      codeIs(await begin({ api_key: wrong }), 401, 'INVALID_API_KEY', /^Invalid API key$/);
  });

  it('only from a page of the service, and a change too', async () => {
    const { key, payer } = await agentWithWallet();
    const cookie = await byKey(key);
    const evil = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };
    codeIs(await begin(await signedMessage(payer), { headers: evil }), 403, 'ORIGIN_FORBIDDEN');
    const bodies = goodBodies(url);
    const changing = everyOperation.filter(({ auth, method }) => auth === 'agent' && method !== 'get');
    for (const spec of changing) {
      const body = bodies[spec.id];
      for (const headers of [{ cookie }, { cookie, ...evil }])
        codeIs(await callOperation(url, spec, { headers, ...(body ? { body } : {}) }), 403, 'ORIGIN_FORBIDDEN');
    }
    assert.equal((await read(cookie)).status, 200);
  });
});

describe("an owner's session", () => {
  it('has the scope of its key', async () => {
    const { key } = await registerAgent(url);
    const made = await call(url, 'POST', '/agents/me/keys', { key, body: { name: 'Viewer', scope: 'read' } });
    const cookie = await byKey(expectStatus(made, 201).body.data.apiKey);
    const other = await byKey(key);
    assert.equal((await read(cookie)).body.data.scope, 'read');
    const change = { ...browser(cookie), body: { per_entry: 1, per_day: 1 } };
    codeIs(await call(url, 'PUT', '/agents/me/budget', change), 403, 'KEY_SCOPE');
    // It cannot sign the owner out.
    assert.equal(expectStatus(await signOut(cookie, '?everywhere=true'), 200).body.data.ended, 1);
    assert.equal((await read(other)).status, 200);
  });

  it('ends within a second with its key, in every process, when the key is rotated, revoked, or expires', async () => {
    const other = await secondProcess();
    const ends: ((key: string) => Promise<Answer>)[] = [
      (key) => call(url, 'POST', '/agents/me/keys/rotate', { key, body: {} }),
      (key) => call(url, 'DELETE', `/agents/me/keys/${key.split('_')[2]}`, { key }),
    ];
    for (const end of ends) {
      const { key } = await registerAgent(url);
      const cookie = await byKey(key);
      for (const at of [url, other]) assert.equal((await read(cookie, at)).status, 200);
      expectStatus(await end(key), 200);
      clock.offsetMs += SECOND_MS;
      for (const at of [url, other]) over(await read(cookie, at));
    }
    const { key } = await registerAgent(url);
    const cookie = await byKey(key);
    const grace = await call(url, 'POST', '/agents/me/keys/rotate', { key, body: { grace_seconds: 60 } });
    const { apiKey } = expectStatus(grace, 200).body.data;
    clock.offsetMs += SECOND_MS;
    assert.equal((await read(cookie, other)).status, 200);
    clock.offsetMs += 60_000;
    for (const at of [url, other]) over(await read(cookie, at));
    const listed = await call(url, 'GET', PATH, { key: apiKey });
    assert.deepEqual([listed.body.data.session, listed.body.data.sessions], [null, []]);
  });

  it('of a wallet ends within a second when the agent has another wallet', async () => {
    const { key, payer } = await agentWithWallet();
    const cookie = cookieOf(expectStatus(await begin(await signedMessage(payer)), 200));
    assert.equal((await read(cookie)).status, 200);
    await prove(key, newPayer(), payer);
    clock.offsetMs += SECOND_MS;
    over(await read(cookie));
    codeIs(await begin(await signedMessage(payer)), 404, 'AGENT_NOT_FOUND');
  });

  it('is ended everywhere at once, or one at a time, in every process', async () => {
    const other = await secondProcess();
    const { key } = await registerAgent(url);
    const foreign = await byKey((await registerAgent(url)).key);
    const [one, two, three] = [await byKey(key), await byKey(key), await byKey(key)];
    for (const cookie of [one, two, three]) assert.equal((await read(cookie, other)).status, 200);
    assert.equal((await signOut(one)).body.data.ended, 1);
    assert.equal((await read(two)).body.data.sessions.length, 2);
    assert.equal((await signOut(two, '?everywhere=true')).body.data.ended, 2);
    for (const cookie of [one, two, three]) over(await read(cookie));
    clock.offsetMs += SECOND_MS;
    for (const cookie of [one, two, three]) over(await read(cookie, other));
    assert.equal((await read(foreign)).status, 200);
    // The key can end the sessions from anywhere.
    const last = await byKey(key);
    assert.equal((await call(url, 'DELETE', PATH, { key })).body.data.ended, 1);
    over(await read(last));
    codeIs(await call(url, 'DELETE', `${PATH}?everywhere=1`, { key }), 400, 'INVALID_PARAMETER');
  });

  it('keeps at most 20 per agent: 25 at once leave 20', async () => {
    const { key } = await registerAgent(url);
    const cookies = await Promise.all(Array.from({ length: 25 }, () => byKey(key)));
    const last = await byKey(key);
    const answers = await Promise.all([...cookies, last].map((cookie) => read(cookie)));
    assert.equal((await read(last)).body.data.sessions.length, 20);
    assert.equal(answers.filter(({ status }) => status === 200).length, 20);
  });

  it('ends one day after its last use', async () => {
    const cookie = await byKey((await registerAgent(url)).key);
    clock.offsetMs += DAY_MS - 60_000;
    assert.equal((await read(cookie)).status, 200);
    clock.offsetMs += DAY_MS - 60_000;
    assert.equal((await read(cookie)).status, 200);
    clock.offsetMs += DAY_MS;
    over(await read(cookie));
  });

  it('honors the standing of its agent', async () => {
    const { id, key } = await registerAgent(url);
    const cookie = await byKey(key);
    const body = { status: 'suspended', reason: 'A test' };
    expectStatus(await call(url, 'PUT', `/operator/agents/${id}/status`, { key: operatorKey, body }), 200);
    clock.offsetMs += SECOND_MS;
    codeIs(await call(url, 'GET', '/agents/me/history', { headers: { cookie } }), 403, 'AGENT_SUSPENDED');
    assert.equal((await call(url, 'GET', '/agents/me', { headers: { cookie } })).status, 200);
    assert.equal((await signOut(cookie)).status, 200);
  });

  it('is refused by every operation of agents if it is forged, of another kind, or ambiguous', async () => {
    const { key } = await registerAgent(url);
    const [good, second] = [await byKey(key), await byKey(key)];
    const posters = cookieOf(await posterSignsIn());
    const wrong = [
      'agent_session=nonsense',
      `agent_session=${issueKey('ca_test', randomBytes).key}`,
      `agent_session=${issueKey('ca_live', randomBytes).key}`,
      `agent_session=${key}`,
      posters.replace('poster_', 'agent_'),
      good.slice(0, -1),
      `${good}; ${second}`,
    ];
    const ofAgents = everyOperation.filter(({ auth }) => auth === 'agent');
    for (const cookie of wrong) {
      const operations = cookie === wrong[1] ? ofAgents : ofAgents.slice(0, 3);
      for (const spec of operations)
        assert.equal((await callOperation(url, spec, browser(cookie))).status, 401, spec.id);
    }
    // The cookie of an agent's owner does not sign a poster in, and both can be signed in at once.
    codeIs(await call(url, 'GET', '/posters/session', { headers: { cookie: good } }), 401, 'UNAUTHORIZED');
    assert.equal((await read(`${posters}; ${good}`)).body.data.session.current, true);
  });
});

it('the service wrote no token to the log, and the tests received every answer of these operations', async () => {
  const token = (await byKey((await registerAgent(url)).key)).split('=')[1]!;
  const log = logLines.join('\n');
  for (const secret of [token, token.slice(31)]) assert.ok(!log.includes(secret));
  const operations = ['challengeAgentSession', 'createAgentSession', 'getAgentSession', 'deleteAgentSession'];
  assert.deepEqual(notSeen(...operations), []);
  assert.deepEqual(errors, []);
});
