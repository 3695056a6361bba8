import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { posterKeyOperations } from '../../contract/poster-keys.ts';
import { until } from '../../test/support/processes/processes.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { sessionWorld } from '../../test/support/worlds/session-world.ts';
import type { Context } from '../deps.ts';
import { parseKey } from '../keys/format.ts';
import type { PosterCaller } from '../callers.ts';
import { createKey, createPosterAuthenticator, createPosterKeyUse, listKeys, revokeKey } from './account-keys.ts';
import { createSessionAuthenticator } from './authenticate-session.ts';

const { db } = await testDatabase();
const idOf = (apiKey: string) => parseKey(apiKey)?.id ?? assert.fail('not a key');

/** A world with its own clock, one poster, and the authenticators of two processes. */
async function setUp() {
  const world = sessionWorld(db);
  const { deps, anyone, register } = world;
  const processOf = () => {
    const use = createPosterKeyUse(deps);
    const keys = createPosterAuthenticator(deps, use);
    return { use, keys, sessions: createSessionAuthenticator(deps, use) };
  };
  const [here, elsewhere] = [processOf(), processOf()];
  const { posterId, apiKey } = await register();
  const as = async (key: string): Promise<Context<PosterCaller>> => ({
    ...anyone,
    knownKeys: {
      forget(id) {
        for (const each of [here.keys, here.sessions]) each.forget(id);
      },
    },
    caller: (await here.keys.authenticate(key)) ?? assert.fail('not a valid key'),
  });
  const create = async (body: { name: string; scope: 'read' | 'full' }, key = apiKey) =>
    posterKeyOperations.createPosterKey.output.parse(await createKey(await as(key), { body }));
  const list = async (key = apiKey) =>
    posterKeyOperations.listPosterKeys.output.parse(await listKeys(await as(key))).keys;
  const revoke = async (keyId: string, key = apiKey) => revokeKey(await as(key), { params: { key_id: keyId } });
  return { ...world, here, elsewhere, posterId, apiKey, create, list, revoke };
}

const limitReached = { code: 'KEY_LIMIT_REACHED', status: 409 };

describe('a poster’s keys', () => {
  it('have a name and a scope; the first one has no name and may do everything', async () => {
    const { create, list, apiKey, here, posterId, advance, at } = await setUp();
    advance(1000);
    const reader = await create({ name: 'Dashboard', scope: 'read' });
    assert.equal(reader.keyId, idOf(reader.apiKey));
    const caller = { kind: 'poster', posterId, keyId: reader.keyId, scope: 'read' };
    assert.deepEqual(await here.keys.authenticate(reader.apiKey), caller);
    const unused = { lastUsedAt: null, expiresAt: null };
    const [created, first] = [at(0).toISOString(), at(-1000).toISOString()];
    assert.deepEqual(await list(), [
      { id: reader.keyId, name: 'Dashboard', scope: 'read', createdAt: created, current: false, ...unused },
      {
        id: idOf(apiKey),
        name: null,
        scope: 'full',
        createdAt: first,
        current: true,
        ...unused,
        lastUsedAt: created,
      },
    ]);
  });

  it('are at most 20, also when two are created at the limit at once; an ended key does not count', async () => {
    const { create, list, revoke, posterId } = await setUp();
    for (let count = 2; count < 20; count += 1) await create({ name: `Program ${count}`, scope: 'read' });
    const held = Promise.withResolvers<void>();
    const isHeld = Promise.withResolvers<void>();
    const holder = db.begin(async (tx) => {
      await tx`select 1 from posters where id = ${posterId} for update`;
      isHeld.resolve();
      await held.promise;
    });
    await isHeld.promise;
    const both = Promise.allSettled([create({ name: 'One', scope: 'read' }), create({ name: 'Other', scope: 'full' })]);
    await until('both wait for the poster', async () => {
      const waiting = await db`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return waiting.length === 2;
    });
    held.resolve();
    await holder;
    const answers = await both;
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    for (const each of answers) if (each.status === 'rejected') assert.equal(each.reason.code, limitReached.code);
    assert.equal((await list()).length, 20);
    await assert.rejects(create({ name: 'One more', scope: 'read' }), limitReached);
    // All keys have the same time, so the first of the list may be the key that this test uses.
    const other = (await list()).find(({ current }) => !current);
    await revoke(other?.id ?? assert.fail());
    await create({ name: 'One more', scope: 'read' });
    await assert.rejects(create({ name: 'Yet one more', scope: 'read' }), limitReached);
  });
});

describe('the last use of a poster’s key', () => {
  it('is written by the job, for requests with the key and with its session, and never goes back', async () => {
    const { here, elsewhere, create, list, start, advance, at } = await setUp();
    const { apiKey, keyId } = await create({ name: 'Program', scope: 'full' });
    const used = async () => (await list()).find(({ id }) => id === keyId)?.lastUsedAt;
    const { token } = await start({ api_key: apiKey });
    advance(1000);
    await here.keys.authenticate(apiKey);
    assert.equal(await used(), null);
    await here.use.flush();
    assert.equal(await used(), at(0).toISOString());
    await elsewhere.keys.authenticate(apiKey);
    advance(1000);
    await here.sessions.authenticate(token);
    await here.use.flush();
    await elsewhere.use.flush();
    assert.equal(await used(), at(0).toISOString());
  });
});

describe('the end of a poster’s key', () => {
  it('is immediate in this process, and within one second in another one, also for its sessions', async () => {
    const { here, elsewhere, create, revoke, start, posterId, apiKey, advance, at } = await setUp();
    const key = await create({ name: 'Program', scope: 'full' });
    const { token, scope } = await start({ api_key: key.apiKey });
    assert.equal(scope, 'full');
    const own = await start({ api_key: apiKey });
    for (const { keys, sessions } of [here, elsewhere]) {
      assert.ok(await keys.authenticate(key.apiKey));
      const { sessionId, ...caller } = (await sessions.authenticate(token)) ?? assert.fail('not signed in');
      assert.equal(sessionId, idOf(token));
      assert.deepEqual(caller, {
        kind: 'poster',
        posterId,
        keyId: key.keyId,
        scope: 'full',
        endsAt: at(24 * 3_600_000),
      });
    }
    assert.deepEqual(await revoke(key.keyId), { message: 'Key revoked.', keyId: key.keyId });
    assert.deepEqual([await here.keys.authenticate(key.apiKey), await here.sessions.authenticate(token)], [null, null]);
    advance(1000);
    assert.deepEqual(
      [await elsewhere.keys.authenticate(key.apiKey), await elsewhere.sessions.authenticate(token)],
      [null, null],
    );
    // The other key and its session go on.
    assert.ok(await here.keys.authenticate(apiKey));
    assert.ok(await here.sessions.authenticate(own.token));
    await assert.rejects(start({ api_key: key.apiKey }), { code: 'INVALID_API_KEY' });
  });

  it('needs one’s own key: another poster’s key answers like an unknown one, and stays valid', async () => {
    const { register, revoke, here } = await setUp();
    const other = await register();
    const answers = await Promise.allSettled([idOf(other.apiKey), '0'.repeat(22)].map((id) => revoke(id)));
    const [foreign, unknown] = answers.map((answer) =>
      answer.status === 'rejected' ? { ...answer.reason, text: String(answer.reason) } : assert.fail(),
    );
    assert.equal(foreign?.code, 'NOT_FOUND');
    assert.deepEqual(foreign, unknown);
    assert.ok(await here.keys.authenticate(other.apiKey));
  });
});
