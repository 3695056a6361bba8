import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAgent } from '../../sdk/src/index.ts';
import { call } from '../support/clients/client.ts';
import { openStream, type OpenStream, type StreamedEvent } from '../support/clients/event-stream.ts';
import { expectStatus, registerAgent } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { prepareWorld, type ServiceProcess } from '../support/processes/service-processes.ts';

// Processes are killed between the write of an event and its number, readers are killed anywhere, and the database ends
// all connections. In the end every reader has each event once, in the order of the log.

const ground = await prepareWorld({
  env: { LIMIT_AGENT_ACCOUNT_PER_MINUTE: '100000', LIMIT_AGENT_READS_PER_MINUTE: '100000' },
});
const { db } = ground;
let service = await ground.start();
const { url } = service;
const port = Number(new URL(url).port);
const EVENTS = '/agents/me/events';
const TYPES = 'types=KEY.CREATED,KEY.REVOKED';

const { id: agentId, key } = await registerAgent(url);
const authorization = `Bearer ${key}`;
let made = 0;

const create = (at = url) =>
  call(at, 'POST', '/agents/me/keys', { key, body: { name: `key ${(made += 1)}`, scope: 'read' } });

async function createAndRevoke(at: string): Promise<void> {
  const { keyId } = expectStatus(await create(at), 201).body.data as { keyId: string };
  expectStatus(await call(at, 'DELETE', `/agents/me/keys/${keyId}`, { key }), 200);
}

/** The ids of the agent's events in the order of the log. */
async function logged(): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select id from events where stream = ${`agent:${agentId}`} and seq is not null order by seq`;
  return rows.map(({ id }) => id);
}
const unnumbered = async () => (await db`select from events where seq is null`).length;

/** Reads as an agent that is killed again and again: it resumes after the last event that it kept. */
function reader(at: () => string) {
  const kept: StreamedEvent[] = [];
  let current: OpenStream | null = null;
  const stopped = new AbortController();
  const run = async () => {
    while (!stopped.signal.aborted) {
      const last = kept.at(-1)?.id;
      const headers = { authorization, ...(last === undefined ? {} : { 'last-event-id': last }) };
      const stream = await openStream(at(), `${EVENTS}?${TYPES}`, headers).catch(() => null);
      if (stream?.status === 200 && !stopped.signal.aborted) {
        current = stream;
        await stream.ended;
        current = null;
        kept.push(...stream.events);
      } else {
        stream?.close();
        // The process is starting, or it still holds the place of the connection before.
        await sleep(50);
      }
    }
  };
  const running = run();
  return {
    kill: () => current?.close(),
    seen: () => [...kept, ...(current?.events ?? [])].length,
    async stop() {
      stopped.abort();
      current?.close();
      await running;
      return kept.map(({ id }) => id);
    },
  };
}

async function polled(at: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ''; ;) {
    const answer = expectStatus(await call(at, 'GET', `${EVENTS}?${TYPES}&limit=7${after}`, { key }), 200);
    const { events, cursor, has_more } = answer.body.data as {
      events: StreamedEvent[];
      cursor: string;
      has_more: boolean;
    };
    ids.push(...events.map(({ id }) => id));
    if (!has_more) return ids;
    after = `&after=${cursor}`;
  }
}

describe('a crash of the process', () => {
  it('before the commit of a change leaves no event of it', async () => {
    await until('nothing waits', async () => (await unnumbered()) === 0);
    await service.crashAt('before the commit');
    await create().catch(() => null);
    assert.equal(await service.running.ended, 'SIGKILL');
    assert.deepEqual([(await logged()).length, await unnumbered()], [0, 0]);
    service = await ground.start(port);
  });

  it('between the write and the number delays the event until another process numbers it', async () => {
    await service.crashAt('after the commit');
    await create().catch(() => null);
    assert.equal(await service.running.ended, 'SIGKILL');
    assert.deepEqual([(await logged()).length, await unnumbered()], [0, 1]);
    service = await ground.start(port);
    await until('its number', async () => (await logged()).length === 1);
    assert.deepEqual(await polled(url), await logged());
  });
});

it('loses and repeats nothing while processes and readers are killed and the database ends connections', async () => {
  let second: ServiceProcess = await ground.start();
  const readers = [reader(() => url), reader(() => second.url)];
  const stop = new AbortController();
  const followed: string[] = [];
  const following = (async () => {
    const agent = createAgent({ url, key, signal: stop.signal });
    for await (const { id } of agent.events({ types: ['KEY.CREATED', 'KEY.REVOKED'] })) followed.push(id);
  })();
  for (let round = 0; round < 3; round += 1) {
    const [victim, other] = round % 2 === 0 ? [second, service] : [service, second];
    for (let index = 0; index < 3; index += 1)
      await Promise.all([createAndRevoke(victim.url), createAndRevoke(other.url)]);
    readers[round % 2]!.kill();
    if (round === 1)
      await db`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and application_name = 'concours'`.catch(
        () => null,
      );
    await victim.running.kill('SIGKILL');
    const again = await ground.start(Number(new URL(victim.url).port));
    if (victim === second) second = again;
    else service = again;
  }
  await until('every event has a number', async () => (await unnumbered()) === 0);
  const all = await logged();
  assert.equal(all.length, 1 + 3 * 3 * 2 * 2);
  await until('every reader is there', async () => readers.every((each) => each.seen() >= all.length));
  for (const each of readers) assert.deepEqual(await each.stop(), all);
  await until('the SDK is there', async () => followed.length >= all.length);
  assert.deepEqual(followed, all);
  stop.abort();
  await assert.rejects(following, { name: 'AbortError' });
  assert.deepEqual(await polled(url), all);
  assert.deepEqual(await polled(second.url), all);
});
