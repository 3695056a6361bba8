import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { posterKeyOperations } from '../../contract/poster-keys.ts';
import { listen } from '../../server/http/server.ts';
import { createService } from '../../server/service.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { call, newPayer } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { openStream } from '../support/clients/event-stream.ts';
import { brief, expectStatus, openProject, registerPoster } from '../support/clients/journey.ts';
import { withoutId } from '../support/clients/requests.ts';
import { browsersOf, cookieOf } from '../support/clients/sessions.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld({ env: { LIMIT_POSTER_PER_MINUTE: '10000', LIMIT_SIGN_INS_PER_HOUR: '1000' } });
const { url, service, operatorKey, clock, errors } = world;
const { begin, browser, readSession, signIn } = browsersOf(url);
/** Caches of keys and sessions forget after 900 ms. */
const SECOND_MS = 1_000;
const PATH = '/posters/me/keys';

type Listed = { id: string; name: string | null; scope: string; lastUsedAt: string | null; current: boolean };

const create = (key: string, body: object, headers: Record<string, string> = {}) =>
  call(url, 'POST', PATH, { key, body, headers });
const created = async (key: string, body: object) =>
  expectStatus(await create(key, body), 201).body.data as { keyId: string; apiKey: string };
const revoke = (key: string, id: string) => call(url, 'DELETE', `${PATH}/${id}`, { key });
const list = async (key: string) => expectStatus(await call(url, 'GET', PATH, { key }), 200).body.data.keys as Listed[];
const works = async (key: string) => (await call(url, 'GET', '/posters/me/projects', { key })).status === 200;
const idOf = (key: string) => key.split('_')[2] ?? '';

async function secondProcess(): Promise<string> {
  const other = createService(service.deps, { operatorKey });
  const listener = await listen(other.app, { host: '127.0.0.1', port: 0 });
  after(() => listener.close(0));
  after(() => other.app.stop());
  return `http://127.0.0.1:${listener.port}`;
}

describe('POST /posters/me/keys', () => {
  it('creates a key with its name and its scope; the first key is unnamed and may do everything', async () => {
    const { key } = await registerPoster(url);
    const answer = expectStatus(await create(key, { name: '  Dashboard ', scope: 'read' }), 201).body.data;
    assert.deepEqual(Object.keys(answer), ['message', 'keyId', 'apiKey', 'name', 'scope']);
    assert.deepEqual([answer.name, answer.scope, answer.keyId], ['Dashboard', 'read', idOf(answer.apiKey)]);
    assert.match(answer.apiKey, /^cp_test_/);
    assert.deepEqual(
      (await list(answer.apiKey)).map(({ id, name, scope, current }) => [id, name, scope, current]),
      [
        [answer.keyId, 'Dashboard', 'read', true],
        [idOf(key), null, 'full', false],
      ],
    );
  });

  it('names a missing name, an empty one, a long one, and an unknown scope', async () => {
    const { key } = await registerPoster(url);
    const name = 'Program';
    for (const body of [
      { scope: 'read' },
      { name: ' ', scope: 'read' },
      { name: 'A'.repeat(101), scope: 'read' },
      { name },
      { name, scope: 'owner' },
    ])
      codeIs(await create(key, body), 400, 'VALIDATION_ERROR', /name|scope/);
    assert.equal((await list(key)).length, 1);
  });

  it('creates one key for a repeated Idempotency-Key, and returns it again', async () => {
    const { key } = await registerPoster(url);
    const headers = { 'idempotency-key': 'one-key-only-please' };
    const body = { name: 'Program', scope: 'full' };
    const [first, again] = [await create(key, body, headers), await create(key, body, headers)];
    assert.equal(first.body.data.apiKey, again.body.data.apiKey);
    assert.ok(await works(first.body.data.apiKey));
    assert.equal((await list(key)).length, 2);
    // A lesser key cannot fetch the answer, although it belongs to the same poster.
    const reader = await created(key, { name: 'Reader', scope: 'read' });
    codeIs(await create(reader.apiKey, body, headers), 403, 'KEY_SCOPE');
  });

  it('stops at 20 keys without an end, also when many are created at once', async () => {
    const { key } = await registerPoster(url);
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) => create(key, { name: `Program ${index}`, scope: 'read' })),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 19);
    for (const answer of answers.filter(({ status }) => status !== 201))
      codeIs(answer, 409, 'KEY_LIMIT_REACHED', /at most 20 keys/);
    const [newest] = await list(key);
    expectStatus(await revoke(key, newest?.id ?? ''), 200);
    await created(key, { name: 'One more', scope: 'read' });
    codeIs(await create(key, { name: 'Too many', scope: 'read' }), 409, 'KEY_LIMIT_REACHED');
  });

  it('gives a poster who signed in with a wallet its first key', async () => {
    const cookie = cookieOf(await signIn());
    assert.equal((await readSession(cookie)).body.data.scope, 'full');
    const made = await call(url, 'POST', PATH, { ...browser(cookie), body: { name: 'Program', scope: 'full' } });
    const { apiKey } = expectStatus(made, 201).body.data;
    assert.deepEqual(
      (await list(apiKey)).map(({ name, current }) => [name, current]),
      [['Program', true]],
    );
  });
});

describe('a read key', () => {
  it('reads a project and its entries, and cannot pay, draft, choose, or manage keys', async () => {
    const { id, poster, funder } = await openProject(world);
    const { apiKey: key } = await created(poster.key, { name: 'Dashboard', scope: 'read' });
    for (const path of ['', '/submissions', '/questions', '/references'])
      expectStatus(await call(url, 'GET', `/posters/me/projects/${id}${path}`, { key }), 200);
    const draft = await call(url, 'POST', '/posters/me/projects', { key: poster.key, body: brief() });
    const { id: draftId } = expectStatus(draft, 201).body.data.project;
    const needsFull = /needs a key of scope full\. This key has the scope read\./;
    const publish = { key, fetch: funder.pay };
    codeIs(await call(url, 'POST', `/posters/me/projects/${draftId}/publish`, publish), 403, 'KEY_SCOPE', needsFull);
    codeIs(await call(url, 'POST', '/posters/me/projects', { key, body: brief() }), 403, 'KEY_SCOPE', needsFull);
    codeIs(await create(key, { name: 'More', scope: 'full' }), 403, 'KEY_SCOPE');
    codeIs(await revoke(key, idOf(poster.key)), 403, 'KEY_SCOPE');
    assert.ok(await works(poster.key));
  });

  it('starts a session of the same scope, which cannot sign the poster out', async () => {
    const { key } = await registerPoster(url);
    const reader = await created(key, { name: 'Dashboard', scope: 'read' });
    const signedIn = expectStatus(await begin({ api_key: reader.apiKey }), 200);
    const [cookie, owner] = [cookieOf(signedIn), cookieOf(expectStatus(await begin({ api_key: key }), 200))];
    assert.deepEqual([signedIn.body.data.scope, (await readSession(cookie)).body.data.scope], ['read', 'read']);
    const drafted = await call(url, 'POST', '/posters/me/projects', { ...browser(cookie), body: brief() });
    codeIs(drafted, 403, 'KEY_SCOPE');
    const out = await call(url, 'DELETE', '/posters/session?everywhere=true', browser(cookie));
    assert.equal(expectStatus(out, 200).body.data.ended, 1);
    codeIs(await readSession(cookie), 401, 'UNAUTHORIZED');
    assert.equal((await readSession(owner)).status, 200);
  });
});

describe('DELETE /posters/me/keys/{key_id}', () => {
  it('ends the key and its sessions in every process within a second, and no other session', async () => {
    const other = await secondProcess();
    const { key } = await registerPoster(url);
    const program = await created(key, { name: 'Program', scope: 'full' });
    const cookie = cookieOf(expectStatus(await begin({ api_key: program.apiKey }), 200));
    const owner = cookieOf(expectStatus(await begin({ api_key: key }), 200));
    const statuses = async (headers: object) =>
      await Promise.all([url, other].map(async (at) => (await call(at, 'GET', '/posters/session', headers)).status));
    assert.deepEqual(await statuses({ headers: { cookie } }), [200, 200]);
    assert.deepEqual(await statuses({ key: program.apiKey }), [200, 200]);
    expectStatus(await revoke(key, program.keyId), 200);
    assert.deepEqual([await works(program.apiKey), (await readSession(cookie)).status], [false, 401]);
    clock.offsetMs += SECOND_MS;
    assert.deepEqual(await statuses({ headers: { cookie } }), [401, 401]);
    assert.deepEqual(await statuses({ key: program.apiKey }), [401, 401]);
    assert.deepEqual(await statuses({ headers: { cookie: owner } }), [200, 200]);
    // Repeating it succeeds.
    expectStatus(await revoke(key, program.keyId), 200);
  });

  it('ends a session that revokes its own key', async () => {
    const { key } = await registerPoster(url);
    const program = await created(key, { name: 'Program', scope: 'full' });
    const cookie = cookieOf(expectStatus(await begin({ api_key: program.apiKey }), 200));
    const keys = expectStatus(await call(url, 'GET', PATH, browser(cookie)), 200).body.data.keys as Listed[];
    assert.deepEqual(
      keys.map(({ id, current }) => [id, current]),
      [
        [program.keyId, true],
        [idOf(key), false],
      ],
    );
    expectStatus(await call(url, 'DELETE', `${PATH}/${program.keyId}`, browser(cookie)), 200);
    codeIs(await readSession(cookie), 401, 'UNAUTHORIZED');
    assert.ok(await works(key));
  });

  it("answers for another poster's key as for an unknown one, and leaves that key valid", async () => {
    const [ada, grace] = [await registerPoster(url), await registerPoster(url)];
    const [foreign, unknown] = [await revoke(grace.key, idOf(ada.key)), await revoke(grace.key, '0'.repeat(22))];
    codeIs(foreign, 404, 'NOT_FOUND');
    assert.deepEqual(withoutId(foreign), withoutId(unknown));
    assert.ok(await works(ada.key));
    assert.deepEqual([(await list(ada.key)).length, (await list(grace.key)).length], [1, 1]);
  });

  it('locks out a poster without a wallet that revokes its last key; a wallet signs in again', async () => {
    const { key } = await registerPoster(url);
    expectStatus(await revoke(key, idOf(key)), 200);
    assert.equal(await works(key), false);
    codeIs(await begin({ api_key: key }), 401, 'INVALID_API_KEY');
    const payer = newPayer();
    const cookie = cookieOf(await signIn(payer));
    const made = await call(url, 'POST', PATH, { ...browser(cookie), body: { name: 'Program', scope: 'full' } });
    const { apiKey, keyId } = expectStatus(made, 201).body.data;
    expectStatus(await revoke(apiKey, keyId), 200);
    expectStatus(await signIn(payer), 200);
    assert.equal((await readSession(cookie)).status, 200);
  });

  it('is open to a suspended poster, like the list', async () => {
    const poster = await registerPoster(url);
    const program = await created(poster.key, { name: 'Program', scope: 'read' });
    const body = { status: 'suspended', reason: 'A complaint' };
    expectStatus(await call(url, 'PUT', `/operator/posters/${poster.id}/status`, { key: operatorKey, body }), 200);
    assert.equal((await list(poster.key)).length, 2);
    expectStatus(await revoke(poster.key, program.keyId), 200);
    assert.equal(await works(program.apiKey), false);
  });
});

describe('the events of a poster', () => {
  it('tell of a new key and of its end, which ends its streams', async () => {
    const { key } = await registerPoster(url);
    const other = await registerPoster(url);
    const EVENTS = '/posters/me/events';
    const stream = await openStream(url, `${EVENTS}?after=now`, { authorization: `Bearer ${key}` });
    const program = await created(key, { name: 'Program', scope: 'read' });
    const cookie = cookieOf(expectStatus(await begin({ api_key: program.apiKey }), 200));
    const short = [
      await openStream(url, EVENTS, { authorization: `Bearer ${program.apiKey}` }),
      await openStream(url, EVENTS, { cookie }),
    ];
    expectStatus(await revoke(key, program.keyId), 200);
    await Promise.all(short.map(({ ended }) => ended));
    await until('both events', async () => stream.events.length === 2);
    const data = { key_id: program.keyId, name: 'Program', scope: 'read' };
    assert.deepEqual(
      stream.events.map((event) => [event.type, event.data]),
      [
        ['KEY.CREATED', data],
        ['KEY.REVOKED', { ...data, ends_at: stream.events[1]?.occurred_at }],
      ],
    );
    stream.close();
    const page = await call(url, 'GET', `${EVENTS}?types=KEY.CREATED,KEY.REVOKED`, { key: other.key });
    assert.deepEqual(expectStatus(page, 200).body.data.events, []);
  });
});

describe('lastUsedAt', () => {
  it('is null before the first use, and the time of the last use afterwards', async () => {
    const { key } = await registerPoster(url);
    const { apiKey, keyId } = await created(key, { name: 'Dashboard', scope: 'read' });
    const used = async () => (await list(key)).find(({ id }) => id === keyId)?.lastUsedAt;
    assert.equal(await used(), null);
    const at = new Date(Date.now() + 5000);
    await clock.at(at, () => works(apiKey));
    // The job that writes the times runs every 10 seconds.
    await until('the use is stored', async () => (await used()) !== null);
    assert.equal(await used(), at.toISOString());
  });
});

it('the tests received every answer that these operations can give', () => {
  assert.deepEqual(notSeen(...Object.keys(posterKeyOperations)), []);
  assert.deepEqual(errors, []);
});
