import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keyOperations } from '../../contract/agents/keys.ts';
import { call } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, registerAgent } from '../support/clients/journey.ts';
import { callOperation, withoutId } from '../support/clients/requests.ts';
import { until } from '../support/processes/processes.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { toldEvents } from '../support/told-events.ts';

const world = await startWorld({ env: { LIMIT_AGENT_ACCOUNT_PER_MINUTE: '10000' } });
const { url, clock, errors } = world;

type Listed = { id: string; name: string | null; scope: string; lastUsedAt: string | null; expiresAt: string | null };

const create = (key: string, body: object, headers: Record<string, string> = {}) =>
  call(url, 'POST', '/agents/me/keys', { key, body, headers });
const created = async (key: string, body: object) => expectStatus(await create(key, body), 201).body.data;
const rotate = (key: string, body: object) => call(url, 'POST', '/agents/me/keys/rotate', { key, body });
const revoke = (key: string, id: string) => call(url, 'DELETE', `/agents/me/keys/${id}`, { key });
const list = async (key: string) =>
  expectStatus(await call(url, 'GET', '/agents/me/keys', { key }), 200).body.data.keys as Listed[];
const works = async (key: string) => (await call(url, 'GET', '/agents/me', { key })).status === 200;
const idOf = (key: string) => key.split('_')[2] ?? '';

describe('POST /agents/me/keys', () => {
  it('creates a key with its name and its scope; the first key is an unnamed owner', async () => {
    const { key } = await registerAgent(url);
    const reader = await created(key, { name: '  Dashboard ', scope: 'read' });
    assert.deepEqual([reader.name, reader.scope, reader.keyId], ['Dashboard', 'read', idOf(reader.apiKey)]);
    assert.deepEqual(
      (await list(reader.apiKey)).map(({ id, name, scope }) => [id, name, scope]),
      [
        [reader.keyId, 'Dashboard', 'read'],
        [idOf(key), null, 'owner'],
      ],
    );
    codeIs(await create(reader.apiKey, { name: 'More', scope: 'read' }), 403, 'KEY_SCOPE');
  });

  it('names a missing name, an empty one, and an unknown scope', async () => {
    const { key } = await registerAgent(url);
    for (const body of [{ scope: 'read' }, { name: ' ', scope: 'read' }, { name: 'A' }, { name: 'A', scope: 'root' }])
      codeIs(await create(key, body), 400, 'VALIDATION_ERROR');
    assert.equal((await list(key)).length, 1);
  });

  it('creates one key for a repeated Idempotency-Key, and returns it again', async () => {
    const { key } = await registerAgent(url);
    const headers = { 'idempotency-key': 'one-key-only-please' };
    const body = { name: 'Painter', scope: 'enter' };
    const [first, again] = [await create(key, body, headers), await create(key, body, headers)];
    assert.equal(first.body.data.apiKey, again.body.data.apiKey);
    assert.ok(await works(first.body.data.apiKey));
    assert.equal((await list(key)).length, 2);
  });

  it('stops at 20 keys without an end, also when many are created at once', async () => {
    const { key } = await registerAgent(url);
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) => create(key, { name: `Program ${index}`, scope: 'read' })),
    );
    assert.equal(answers.filter(({ status }) => status === 201).length, 19);
    for (const answer of answers.filter(({ status }) => status !== 201)) codeIs(answer, 409, 'KEY_LIMIT_REACHED');
    const [newest] = await list(key);
    // A replaced key has an end, so replacing one is possible; replacing the replaced one again is not.
    const id = newest?.id ?? '';
    assert.equal((await rotate(key, { key_id: id, grace_seconds: 60 })).status, 200);
    codeIs(await rotate(key, { key_id: id }), 409, 'KEY_LIMIT_REACHED');
    expectStatus(await revoke(key, id), 200);
    codeIs(await create(key, { name: 'One more', scope: 'read' }), 409, 'KEY_LIMIT_REACHED');
    const [, , other] = await list(key);
    expectStatus(await revoke(key, other?.id ?? ''), 200);
    await created(key, { name: 'One more', scope: 'read' });
  });
});

describe('POST /agents/me/keys/rotate', () => {
  it('replaces another key of the agent, and keeps its name and its scope', async () => {
    const { key } = await registerAgent(url);
    const painter = await created(key, { name: 'Painter', scope: 'enter' });
    codeIs(await rotate(painter.apiKey, {}), 403, 'KEY_SCOPE');
    const { keyId, apiKey } = expectStatus(await rotate(key, { key_id: painter.keyId }), 200).body.data;
    assert.deepEqual([await works(painter.apiKey), await works(apiKey), await works(key)], [false, true, true]);
    const [newest] = await list(key);
    assert.deepEqual([newest?.id, newest?.name, newest?.scope], [keyId, 'Painter', 'enter']);
    const told = (type: string, id: string) => toldEvents(world.service.deps.db, type, { key_id: id });
    const kept = { name: 'Painter', scope: 'enter' };
    const [made, ...others] = await told('KEY.CREATED', keyId);
    assert.deepEqual([made?.data, others], [{ key_id: keyId, ...kept }, []]);
    const [ended, ...more] = await told('KEY.REVOKED', painter.keyId);
    const { ends_at: endsAt, ...rest } = ended?.data ?? {};
    assert.deepEqual([rest, more], [{ key_id: painter.keyId, ...kept }, []]);
    assert.ok(Date.parse(String(endsAt)) <= clock.now().getTime(), 'it ended at once');
    codeIs(await rotate(key, { key_id: painter.keyId }), 404, 'NOT_FOUND');
  });

  it("answers for another agent's key as for an unknown one, and leaves that key valid", async () => {
    const [ada, grace] = [await registerAgent(url), await registerAgent(url)];
    const [foreign, unknown] = [
      await rotate(grace.key, { key_id: idOf(ada.key) }),
      await rotate(grace.key, { key_id: '0'.repeat(22) }),
    ];
    assert.deepEqual(withoutId(foreign), withoutId(unknown));
    assert.ok(await works(ada.key));
    assert.deepEqual([(await list(ada.key)).length, (await list(grace.key)).length], [1, 1]);
  });

  it('never ends a key that has no end: only the oldest of the replaced ones', async () => {
    const { key } = await registerAgent(url);
    const reader = await created(key, { name: 'Dashboard', scope: 'read' });
    let last = key;
    const replaced: string[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      replaced.push(last);
      last = expectStatus(await rotate(last, { grace_seconds: 3600 }), 200).body.data.apiKey;
    }
    assert.ok(await works(reader.apiKey));
    assert.deepEqual(await Promise.all(replaced.map(works)), [false, false, true, true, true, true]);
  });
});

describe('lastUsedAt', () => {
  it('is null before the first use, and the time of the last use afterwards', async () => {
    const { key } = await registerAgent(url);
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

describe('every answer', () => {
  it('of the operations of keys was seen', async () => {
    const { key } = await registerAgent(url);
    codeIs(await callOperation(url, keyOperations.revokeKey, { key }), 404, 'NOT_FOUND');
    expectStatus(await revoke(key, idOf(key)), 200);
    assert.deepEqual(notSeen('Keys'), []);
    assert.deepEqual(errors, []);
  });
});
