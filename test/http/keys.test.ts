import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { openStream } from '../support/clients/event-stream.ts';
import { expectStatus, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// The keys of agents and of posters. sign-ins.test.ts has the sessions of keys.

const { url } = await sharedWorld();

type Listed = { id: string; name: string | null; scope: string; current: boolean };

const idOf = (key: string) => key.split('_')[2] ?? '';

for (const kind of [
  { name: 'agent', register: registerAgent, best: 'owner', prefix: /^ck_test_/, read: '/agents/me' },
  { name: 'poster', register: registerPoster, best: 'full', prefix: /^cp_test_/, read: '/posters/me/projects' },
] as const)
  describe(`the keys of an ${kind.name}`.replace('an poster', 'a poster'), () => {
    const path = `/${kind.name}s/me/keys`;
    const create = (key: string, body: object, headers = {}) => call(url, 'POST', path, { key, body, headers });
    const created = async (key: string, body: object) => expectStatus(await create(key, body), 201).body.data;
    const revoke = (key: string, id: string) => call(url, 'DELETE', `${path}/${id}`, { key });
    const list = async (key: string) =>
      expectStatus(await call(url, 'GET', path, { key }), 200).body.data.keys as Listed[];
    const works = async (key: string) => (await call(url, 'GET', kind.read, { key })).status === 200;

    it('have a name and a scope; the first one has no name and may do everything', async () => {
      const { key } = await kind.register(url);
      const reader = await created(key, { name: '  Dashboard ', scope: 'read' });
      assert.deepEqual([reader.name, reader.scope, reader.keyId], ['Dashboard', 'read', idOf(reader.apiKey)]);
      assert.match(reader.apiKey, kind.prefix);
      const keys = await list(reader.apiKey);
      assert.deepEqual(
        keys.map(({ id, name, scope, current }) => [id, name, scope, current]),
        [
          [reader.keyId, 'Dashboard', 'read', true],
          [idOf(key), null, kind.best, false],
        ],
      );
      assert.doesNotMatch(JSON.stringify(keys), new RegExp(`${key.slice(-40)}|${reader.apiKey.slice(-40)}|hash`));
      codeIs(await create(reader.apiKey, { name: 'More', scope: 'read' }), 403, 'KEY_SCOPE');
      codeIs(await revoke(reader.apiKey, idOf(key)), 403, 'KEY_SCOPE');
      for (const body of [{ scope: 'read' }, { name: ' ', scope: 'read' }, { name: 'A' }, { name: 'A', scope: 'root' }])
        codeIs(await create(key, body), 400, 'VALIDATION_ERROR', /name|scope/);
      assert.equal((await list(key)).length, 2);
    });

    it('are at most 20, also when many are created at once', async () => {
      const { key } = await kind.register(url);
      const answers = await Promise.all(
        Array.from({ length: 24 }, (_, index) => create(key, { name: `Program ${index}`, scope: 'read' })),
      );
      assert.equal(answers.filter(({ status }) => status === 201).length, 19);
      for (const answer of answers.filter(({ status }) => status !== 201)) codeIs(answer, 409, 'KEY_LIMIT_REACHED');
      const [newest] = await list(key);
      expectStatus(await revoke(key, newest?.id ?? ''), 200);
      await created(key, { name: 'One more', scope: 'read' });
    });

    it('end at once, and a repeated revocation succeeds', async () => {
      const { key } = await kind.register(url);
      const { apiKey, keyId } = await created(key, { name: 'Program', scope: kind.best });
      assert.ok(await works(apiKey));
      for (let times = 0; times < 2; times += 1) expectStatus(await revoke(key, keyId), 200);
      assert.deepEqual([await works(apiKey), await works(key)], [false, true]);
    });

    it('are told to the account alone, and the end of a key ends its streams', async () => {
      const [{ key }, other] = [await kind.register(url), await kind.register(url)];
      const events = `/${kind.name}s/me/events`;
      const own = `${events}?after=now&types=KEY.CREATED,KEY.REVOKED`;
      const stream = await openStream(url, own, { authorization: `Bearer ${key}` });
      const program = await created(key, { name: 'Program', scope: 'read' });
      const short = await openStream(url, events, { authorization: `Bearer ${program.apiKey}` });
      expectStatus(await revoke(key, program.keyId), 200);
      await short.ended;
      await until('both events', async () => stream.events.length === 2);
      const data = { key_id: program.keyId, name: 'Program', scope: 'read' };
      assert.deepEqual(
        stream.events.map((event) => [event.type, event.data]),
        [
          ['KEY.CREATED', data],
          ['KEY.REVOKED', data],
        ],
      );
      stream.close();
      const page = await call(url, 'GET', `${events}?types=KEY.CREATED,KEY.REVOKED`, { key: other.key });
      assert.deepEqual(expectStatus(page, 200).body.data.events, []);
    });
  });
