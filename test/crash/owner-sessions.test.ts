import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, call, newPayer, type Payer } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, registerAgent } from '../support/clients/journey.ts';
import { browsersOf, cookieOf } from '../support/clients/sessions.ts';
import { linkPayer } from '../support/clients/wallets.ts';
import { killedBeforeAnswer, killedBeforeCommit, type Write } from '../support/processes/killed-writes.ts';
import { prepareWorld } from '../support/processes/service-processes.ts';

// SIGKILL ends the process while an owner signs in by key or by wallet, is signed in for longer, or signs out. A request
// that was not committed has left nothing. After a lost answer, the owner signs in again, and no challenge works twice.

const ground = await prepareWorld();
const { db } = ground;
let service = await ground.start();
const { url } = service;
const { browser } = browsersOf(url);
const PATH = '/agents/session';

type Case = Write & {
  none: unknown;
  once: unknown;
  /** Checks the repeated request after a lost answer. */
  repeated(answer: Answer): Promise<void>;
};

const begin = (body: object) => call(url, 'POST', PATH, { body });
const byKey = async (key: string) => cookieOf(expectStatus(await begin({ api_key: key }), 200));
const read = (cookie: string) => call(url, 'GET', PATH, { headers: { cookie } });
const signOut = (cookie: string, query = '') => call(url, 'DELETE', `${PATH}${query}`, browser(cookie));
const challenge = ({ address }: Payer) => call(url, 'POST', `${PATH}/challenge`, { body: { address } });

async function signed(payer: Payer) {
  const message = expectStatus(await challenge(payer), 200).body.data.message as string;
  return { message, signature: await payer.account.signMessage({ message }) };
}

/** Counts an agent's sessions and the events that tell of them. */
async function sessionsOf(agentId: string): Promise<[sessions: number, events: number]> {
  const [row] = await db<[{ sessions: number; events: number }]>`
    select (select count(*)::int from agent_sessions where agent_id = ${agentId}) as sessions,
      (select count(*)::int from events where type = 'SESSION.STARTED' and stream = ${`agent:${agentId}`}) as events`;
  return [row.sessions, row.events];
}

async function challengesOf({ address }: Payer): Promise<number> {
  const [row] = await db<[{ count: number }]>`
    select count(*)::int as count from agent_sign_in_challenges where address = ${address.toLowerCase()}`;
  return row.count;
}

const cases: Record<string, () => Promise<Case>> = {
  async 'asks for a message to sign'() {
    const payer = newPayer();
    return {
      waitsAt: 'delete from agent_sign_in_challenges',
      send: () => challenge(payer),
      written: () => challengesOf(payer),
      none: 0,
      once: 1,
      async repeated(answer) {
        expectStatus(answer, 200);
        assert.equal(await challengesOf(payer), 2, 'each request has its own message');
      },
    };
  },
  async 'signs in by key'() {
    const { id, key } = await registerAgent(url);
    return {
      waitsAt: 'insert into events',
      send: () => begin({ api_key: key }),
      written: () => sessionsOf(id),
      none: [0, 0],
      once: [1, 1],
      async repeated(answer) {
        const cookie = cookieOf(expectStatus(answer, 200));
        assert.deepEqual(await sessionsOf(id), [2, 2]);
        // Nobody has the cookie of the lost answer. The owner sees that session, and ends it with the others.
        assert.equal((await read(cookie)).body.data.sessions.length, 2);
        assert.equal(expectStatus(await signOut(cookie, '?everywhere=true'), 200).body.data.ended, 2);
      },
    };
  },
  async 'signs in by wallet'() {
    const { id, key } = await registerAgent(url);
    const payer = newPayer();
    expectStatus(await linkPayer(url, key, payer), 200);
    const message = await signed(payer);
    const written = async () => [...(await sessionsOf(id)), await challengesOf(payer)];
    return {
      waitsAt: 'insert into events',
      send: () => begin(message),
      written,
      none: [0, 0, 1],
      once: [1, 1, 0],
      async repeated(answer) {
        codeIs(answer, 400, 'WALLET_CHALLENGE_INVALID', /already used/);
        assert.deepEqual(await written(), [1, 1, 0]);
        const cookie = cookieOf(expectStatus(await begin(await signed(payer)), 200));
        assert.equal((await read(cookie)).body.data.agent.id, id);
        assert.deepEqual(await written(), [2, 2, 0]);
      },
    };
  },
  async 'is signed in for longer'() {
    const { id, key } = await registerAgent(url);
    const cookie = await byKey(key);
    await db`update agent_sessions set expires_at = now() + interval '2 hours' where agent_id = ${id}`;
    return {
      waitsAt: 'update agent_sessions',
      // Any request of a session extends it.
      send: () => call(url, 'PUT', '/agents/me/budget', { ...browser(cookie), body: { per_day: 5 } }),
      async written() {
        const rows = await db`
          select 1 from agent_sessions where agent_id = ${id} and expires_at > now() + interval '3 hours'`;
        return rows.length;
      },
      none: 0,
      once: 1,
      async repeated(answer) {
        assert.equal(expectStatus(answer, 200).body.data.budget.per_day, 5);
      },
    };
  },
  async 'signs out'() {
    const { id, key } = await registerAgent(url);
    const [cookie, other] = [await byKey(key), await byKey(key)];
    return {
      waitsAt: 'delete from agent_sessions',
      send: () => signOut(cookie),
      written: async () => (await sessionsOf(id))[0],
      none: 2,
      once: 1,
      async repeated(answer) {
        codeIs(answer, 401, 'UNAUTHORIZED', /session is over/);
        expectStatus(await read(other), 200);
      },
    };
  },
  async 'signs out everywhere'() {
    const { id, key } = await registerAgent(url);
    const [cookie, other] = [await byKey(key), await byKey(key)];
    return {
      waitsAt: 'delete from agent_sessions',
      send: () => signOut(cookie, '?everywhere=true'),
      written: async () => (await sessionsOf(id))[0],
      none: 2,
      once: 0,
      async repeated(answer) {
        codeIs(answer, 401, 'UNAUTHORIZED', /session is over/);
        codeIs(await read(other), 401, 'UNAUTHORIZED', /session is over/);
        const again = await call(url, 'DELETE', PATH, { key });
        assert.equal(expectStatus(again, 200).body.data.ended, 0);
      },
    };
  },
};

for (const [name, prepare] of Object.entries(cases))
  describe(`a crash while an owner ${name}`, () => {
    it('before the commit leaves nothing, and the repeated request works', async () => {
      const { none, once, ...write } = await prepare();
      service = await killedBeforeCommit(ground, service, write);
      assert.deepEqual(await write.written(), none);
      expectStatus(await write.send(), 200);
      assert.deepEqual(await write.written(), once);
    });

    it('before the answer has written it once', async () => {
      const { once, repeated, ...write } = await prepare();
      service = await killedBeforeAnswer(ground, service, write);
      assert.deepEqual(await write.written(), once);
      await repeated(await write.send());
    });
  });
