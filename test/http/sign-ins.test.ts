import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { issueKey } from '../../server/keys/format.ts';
import { listen } from '../../server/http/server.ts';
import { createService } from '../../server/service.ts';
import { everyOperation } from '../support/clients/check-answer.ts';
import { type Answer, call, newPayer, type Payer } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { brief, expectStatus, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { callOperation } from '../support/clients/requests.ts';
import { browsersOf, cookieOf } from '../support/clients/sessions.ts';
import { linkPayer } from '../support/clients/wallets.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { SHARED_SETTINGS } from '../support/worlds/shared-service.ts';

// The browser sessions of agents' owners, of posters, and of operators. The tests move the clock and start a second
// process, so they need their own service.

const world = await startWorld({ env: SHARED_SETTINGS.env ?? {} });
const { url, service, operatorKey, clock } = world;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const { browser, begin: beginAsPoster, challenge } = browsersOf(url);

type Kind = {
  auth: 'agent' | 'poster' | 'operator';
  path: string;
  prefix: 'ca' | 'cs' | 'cd';
  attributes: string;
  idleMs: number;
  newKey: () => Promise<string>;
  /** A read and a change that the session may do. */
  read: string;
  change: () => Promise<[method: string, path: string, body: object]>;
};

const week = 'Max-Age=604800; Path=/; HttpOnly; SameSite=Lax';
const agent: Kind = {
  auth: 'agent',
  path: '/agents/session',
  prefix: 'ca',
  attributes: week,
  idleMs: DAY_MS,
  newKey: async () => (await registerAgent(url)).key,
  read: '/agents/me',
  change: async () => ['POST', '/agents/me/keys', { name: 'A program', scope: 'read' }],
};
const poster: Kind = {
  auth: 'poster',
  path: '/posters/session',
  prefix: 'cs',
  attributes: week,
  idleMs: DAY_MS,
  newKey: async () => (await registerPoster(url)).key,
  read: '/posters/me/projects',
  change: async () => ['POST', '/posters/me/projects', brief({ deadline: new Date(clock.now().getTime() + DAY_MS) })],
};
const operator: Kind = {
  auth: 'operator',
  path: '/operator/session',
  prefix: 'cd',
  attributes: 'Max-Age=43200; Path=/; HttpOnly; SameSite=Strict',
  idleMs: 30 * MINUTE_MS,
  newKey: async () => operatorKey,
  read: '/operator/ledger',
  change: async () => {
    const { id } = await registerAgent(url);
    return ['PUT', `/operator/agents/${id}/status`, { status: 'limited', reason: 'A test' }];
  },
};

const begin = ({ path }: Kind, body: object) => call(url, 'POST', path, { body });
const byKey = async (kind: Kind, key?: string) =>
  cookieOf(expectStatus(await begin(kind, { api_key: key ?? (await kind.newKey()) }), 200));
const keep = ({ path }: Kind, cookie: string, at = url) => call(at, 'GET', path, { headers: { cookie } });
const read = (kind: Kind, cookie: string, at = url) => call(at, 'GET', kind.read, { headers: { cookie } });
const signOut = ({ path }: Kind, cookie: string, query = '') => call(url, 'DELETE', `${path}${query}`, browser(cookie));
const over = (answer: Answer) => codeIs(answer, 401, 'UNAUTHORIZED', /session is over/);
const idOf = (key: string) => key.split('_')[2] ?? '';

async function secondProcess(change: object = {}, key = operatorKey): Promise<string> {
  const other = createService({ ...service.deps, ...change }, { operatorKey: key });
  const listener = await listen(other.app, { host: '127.0.0.1', port: 0 });
  after(() => listener.close(0));
  after(() => other.app.stop());
  return `http://127.0.0.1:${listener.port}`;
}

async function signed(kind: Kind, { account, address }: Payer) {
  const body = { address, as: kind.auth };
  const answer = expectStatus(await call(url, 'POST', '/posters/session/challenge', { body }), 200);
  const message = answer.body.data.message as string;
  assert.match(message, kind.auth === 'agent' ? / as the owner of an agent\./ : / as a poster\./);
  return { message, signature: await account.signMessage({ message }) };
}

for (const kind of [agent, poster, operator])
  describe(`a session of an ${kind.auth}`.replace('an poster', 'a poster'), () => {
    const name = `${kind.auth}_session`;

    it('begins with a key, works by its cookie, and ends', async () => {
      const signedIn = expectStatus(await begin(kind, { api_key: await kind.newKey() }), 200);
      const [set = '', ...more] = signedIn.headers.getSetCookie();
      assert.match(set, new RegExp(`^${name}=${kind.prefix}_test_\\w+; ${kind.attributes}$`));
      assert.deepEqual(more, []);
      assert.doesNotMatch(JSON.stringify(signedIn.body), new RegExp(`${kind.prefix}_test`));
      const cookie = cookieOf(signedIn);
      expectStatus(await read(kind, cookie), 200);
      const [method, path, body] = await kind.change();
      assert.ok((await call(url, method, path, { ...browser(cookie), body })).status < 300);
      const out = expectStatus(await signOut(kind, cookie), 200);
      assert.equal(out.body.data.ended, 1);
      assert.match(out.headers.getSetCookie()[0] ?? '', new RegExp(`^${name}=; Max-Age=0; `));
      over(await read(kind, cookie));
    });

    it('does not begin with a wrong key or a key of another kind', async () => {
      const others = [agent, poster].filter((each) => each !== kind);
      const foreign = await Promise.all(others.map((each) => each.newKey()));
      for (const key of [...foreign, 'nonsense', issueKey(`${kind.prefix}_test`, randomBytes).key])
        codeIs(await begin(kind, { api_key: key }), 401, 'INVALID_API_KEY', /^Invalid API key/);
    });

    it('is refused by every operation if it is forged, ambiguous, or of another kind', async () => {
      const [good, second] = [await byKey(kind), await byKey(kind)];
      const neighbor = kind === poster ? agent : poster;
      const other = await byKey(neighbor);
      const forged = `${name}=${issueKey(`${kind.prefix}_test`, randomBytes).key}`;
      const wrong = [
        `${name}=nonsense`,
        `${name}=${issueKey(`${kind.prefix}_live`, randomBytes).key}`,
        `${name}=${await kind.newKey()}`,
        other.replace(`${neighbor.auth}_session`, name),
        good.slice(0, -1),
        `${good}; ${second}`,
      ];
      const operations = everyOperation.filter(({ auth }) => auth === kind.auth);
      for (const spec of operations)
        assert.equal((await callOperation(url, spec, browser(forged))).status, 401, spec.id);
      for (const cookie of wrong) codeIs(await read(kind, cookie), 401, 'UNAUTHORIZED');
      codeIs(await keep(neighbor, good), 401, 'UNAUTHORIZED');
      // Both can be signed in at once in one browser.
      assert.equal((await read(kind, `${other}; ${good}`)).status, 200);
    });

    it('ends alone, everywhere, or by the key, and leaves those of others', async () => {
      const key = await kind.newKey();
      const foreign = await byKey(kind === poster ? agent : poster);
      await call(url, 'DELETE', `${kind.path}?everywhere=true`, { key });
      const [one, two, three] = [await byKey(kind, key), await byKey(kind, key), await byKey(kind, key)];
      assert.equal((await signOut(kind, one)).body.data.ended, 1);
      over(await read(kind, one));
      assert.equal((await read(kind, two)).status, 200);
      assert.equal((await signOut(kind, two, '?everywhere=true')).body.data.ended, 2);
      clock.offsetMs += SECOND_MS;
      for (const cookie of [two, three]) over(await read(kind, cookie));
      const last = await byKey(kind, key);
      assert.equal((await call(url, 'DELETE', kind.path, { key })).body.data.ended, 1);
      over(await read(kind, last));
      assert.equal((await keep(kind === poster ? agent : poster, foreign)).status, 200);
      codeIs(await call(url, 'DELETE', `${kind.path}?everywhere=1`, { key }), 400, 'INVALID_PARAMETER');
    });

    it('ends some time after its last use', async () => {
      const cookie = await byKey(kind);
      for (let times = 0; times < 2; times += 1) {
        clock.offsetMs += kind.idleMs - MINUTE_MS;
        assert.equal((await keep(kind, cookie)).status, 200);
      }
      clock.offsetMs += kind.idleMs;
      over(await keep(kind, cookie));
    });
  });

describe('the end of a key', () => {
  for (const kind of [agent, poster])
    it(`ends the sessions of this key of an ${kind.auth}, in every process within a second`, async () => {
      const other = await secondProcess();
      const key = await kind.newKey();
      const keys = `/${kind.auth}s/me/keys`;
      const scope = kind === agent ? 'owner' : 'full';
      const made = await call(url, 'POST', keys, { key, body: { name: 'Program', scope: 'read' } });
      const { apiKey } = expectStatus(made, 201).body.data;
      const [reader, full] = [await byKey(kind, apiKey), await byKey(kind, key)];
      for (const at of [url, other]) assert.equal((await read(kind, reader, at)).status, 200);
      assert.deepEqual(
        [(await keep(kind, reader)).body.data.scope, (await keep(kind, full)).body.data.scope],
        ['read', scope],
      );
      const [method, path, body] = await kind.change();
      codeIs(await call(url, method, path, { ...browser(reader), body }), 403, 'KEY_SCOPE');
      expectStatus(await call(url, 'DELETE', `${keys}/${idOf(apiKey as string)}`, { key }), 200);
      clock.offsetMs += SECOND_MS;
      for (const at of [url, other]) over(await read(kind, reader, at));
      assert.equal((await read(kind, full, other)).status, 200);
    });

  it('of an operator is a change of OPERATOR_KEY, which ends its sessions', async () => {
    const cookie = await byKey(operator);
    over(await read(operator, cookie, await secondProcess({}, `another ${operatorKey}`)));
  });
});

describe('a wallet', () => {
  it('signs an owner in if the agent has proven it, and ends the session when the agent proves another one', async () => {
    const { id, key } = await registerAgent(url);
    const payer = newPayer();
    expectStatus(await linkPayer(url, key, payer), 200);
    const cookie = cookieOf(expectStatus(await begin(agent, await signed(agent, payer)), 200));
    const { agent: shown, session } = (await keep(agent, cookie)).body.data;
    assert.deepEqual([shown.id, session.signed_in_with, session.key_id], [id, 'wallet', null]);
    // The wallet can revoke a lost key, and make another below.
    expectStatus(await call(url, 'DELETE', `/agents/me/keys/${idOf(key)}`, browser(cookie)), 200);
    const stranger = newPayer();
    codeIs(await begin(agent, await signed(agent, stranger)), 404, 'AGENT_NOT_FOUND', /No agent has proven/);
    // A message for posters signs no owner in.
    codeIs(await begin(agent, await signed(poster, payer)), 400, 'WALLET_CHALLENGE_INVALID', /unknown/);
    const { message } = await signed(agent, payer);
    const forged = await stranger.account.signMessage({ message });
    codeIs(await begin(agent, { message, signature: forged }), 400, 'WALLET_CHALLENGE_INVALID', /not valid/);
    const { apiKey } = (
      await call(url, 'POST', '/agents/me/keys', { ...browser(cookie), body: { name: 'New', scope: 'owner' } })
    ).body.data;
    expectStatus(await linkPayer(url, apiKey as string, stranger), 200);
    clock.offsetMs += SECOND_MS;
    over(await keep(agent, cookie));
  });
});

it("an owner's session has the standing of its agent", async () => {
  const { id, key } = await registerAgent(url);
  const cookie = await byKey(agent, key);
  const body = { status: 'suspended', reason: 'A test' };
  expectStatus(await call(url, 'PUT', `/operator/agents/${id}/status`, { key: operatorKey, body }), 200);
  codeIs(await call(url, 'GET', '/agents/me/history', { headers: { cookie } }), 403, 'AGENT_SUSPENDED');
  assert.equal((await read(agent, cookie)).status, 200);
});

it('behind TLS, only this host can set the cookie and only TLS carries it', async () => {
  const publicUrl = 'https://concours.test';
  const at = await secondProcess({ publicUrl });
  const { account, address } = newPayer();
  const message = await challenge(address, at);
  assert.match(message, /^concours\.test wants you to sign in/);
  const signature = await account.signMessage({ message });
  for (const origin of [at, 'http://concours.test', 'https://concours.test:8443'])
    codeIs(await beginAsPoster({ message, signature }, at, browser('', origin)), 403, 'ORIGIN_FORBIDDEN');
  const answer = expectStatus(await beginAsPoster({ message, signature }, at, browser('', publicUrl)), 200);
  assert.match(
    answer.headers.getSetCookie()[0] ?? '',
    new RegExp(`^__Host-poster_session=cs_test_\\w+; ${week}; Secure$`),
  );
  const cookie = cookieOf(answer);
  assert.equal((await keep(poster, cookie, at)).status, 200);
  // A neighboring host can set a cookie without the prefix in its name.
  codeIs(await keep(poster, cookie.replace('__Host-', ''), at), 401, 'UNAUTHORIZED');
});
