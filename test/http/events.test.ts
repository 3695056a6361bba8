import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { alertOperator, numberEvents, recordEvents } from '../../server/events/public.ts';
import { call } from '../support/clients/client.ts';
import { choose, close, enter, review } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import { openStream, type StreamedEvent } from '../support/clients/event-stream.ts';
import { drawing, expectStatus, openProject, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { cookieOf } from '../support/clients/sessions.ts';
import { until } from '../support/processes/processes.ts';
import { SHARED_SETTINGS } from '../support/worlds/shared-service.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const HOUR_MS = 3_600_000;
// Events at their times: the tests move the clock, and one of them fills the log of an agent.
const world = await startWorld({ env: { ...SHARED_SETTINGS.env, EARLY_ACCESS_SECONDS: '60' } });
const { url, operatorKey, clock, service } = world;

type Page = { events: StreamedEvent[]; cursor: string; has_more: boolean; truncated: boolean };
const AGENT = '/agents/me/events';
const POSTER = '/posters/me/events';

async function page(path: string, key: string, query: Record<string, string | number> = {}): Promise<Page> {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  return expectStatus(await call(url, 'GET', `${path}?${text}`, { key }), 200).body.data as Page;
}

/** Reads everything from the oldest event on. */
async function all(path: string, key: string, limit = 3): Promise<StreamedEvent[]> {
  const events: StreamedEvent[] = [];
  for (let after: string | undefined; ;) {
    const read: Page = await page(path, key, { limit, ...(after === undefined ? {} : { after }) });
    events.push(...read.events);
    if (!read.has_more) return events;
    after = read.cursor;
  }
}
const typesOf = (events: StreamedEvent[]) => events.map(({ type }) => type);
const untilType = (path: string, key: string, type: string) =>
  until(type, async () => (await all(path, key)).find((event) => event.type === type));

const newKey = (key: string) => call(url, 'POST', '/agents/me/keys', { key, body: { name: 'bot', scope: 'read' } });
const setStatus = ({ id }: { id: string }, status: string) =>
  call(url, 'PUT', `/operator/agents/${id}/status`, { key: operatorKey, body: { status, reason: 'A test' } });

describe('the events of a project', () => {
  it('reach its agents and its poster in order, once, and the same by polling and as a stream', async () => {
    const watcher = await registerAgent(url);
    const stream = await openStream(url, `${AGENT}?after=now`, { authorization: `Bearer ${watcher.key}` });
    assert.equal(stream.status, 200);
    assert.equal(stream.headers['content-type'], 'text/event-stream; charset=utf-8');
    const deadline = new Date(clock.now().getTime() + 3 * HOUR_MS);
    const project = await openProject(world, { entryFeeUsdc: 0.1, deadline, fields: { judging_hours: 30 } });
    clock.offsetMs += 60_000;
    await until('the end of early access', async () => stream.events.length > 0);
    const winner = await enter(world, project, { picture: await drawing(1) });
    const loser = await enter(world, project, { picture: await drawing(2) });
    const moved = new Date(deadline.getTime() + HOUR_MS).toISOString();
    const patch = { key: project.poster.key, body: { auto_select_deadline: moved } };
    expectStatus(await call(url, 'PATCH', `/posters/me/projects/${project.id}`, patch), 200);
    await close(world, project);
    clock.offsetMs += 2 * HOUR_MS;
    await untilType(POSTER, project.poster.key, 'JUDGING.STARTED');
    assert.equal(
      (await all(POSTER, project.poster.key)).some(({ type }) => type === 'JUDGING.ENDS_SOON'),
      false,
    );
    clock.offsetMs += 7 * HOUR_MS;
    const soon = await untilType(POSTER, project.poster.key, 'JUDGING.ENDS_SOON');
    assert.equal(soon.data['hours_left'], 24);
    expectStatus(await review(world, project, winner, 5), 200);
    const before = typesOf(await all(AGENT, winner.key));
    assert.equal(before.includes('SUBMISSION.SCORED'), false, 'the score is a secret until the award');
    expectStatus(await choose(world, project, winner), 200);
    await untilType(AGENT, winner.key, 'PROJECT.COMPLETED');

    const market = ['OPEN', 'DEADLINE_MOVED', 'CLOSING', 'JUDGING', 'COMPLETED'].map((type) => `PROJECT.${type}`);
    const ofMarket = (events: StreamedEvent[]) => events.filter(({ type }) => type.startsWith('PROJECT.'));
    const seen = await all(AGENT, winner.key);
    assert.deepEqual(typesOf(ofMarket(seen)), market);
    const own = typesOf(seen).filter((type) => !type.startsWith('PROJECT.'));
    // The entry fee links the wallet that pays it.
    const entered = ['WALLET.CHANGED', 'SUBMISSION.CONFIRMED'];
    assert.deepEqual(own, [...entered, 'SUBMISSION.SCORED', 'SUBMISSION.WON', 'PAYOUT.SETTLED']);
    const lost = typesOf(await all(AGENT, loser.key)).filter((type) => !type.startsWith('PROJECT.'));
    assert.deepEqual(lost, [...entered, 'SUBMISSION.LOST']);
    const toPoster = [
      'ENTRY.CONFIRMED',
      'ENTRY.CONFIRMED',
      'JUDGING.STARTED',
      'JUDGING.ENDS_SOON',
      'PRIZE.PAID',
      'DELIVERY.READY',
    ];
    assert.deepEqual(typesOf(await all(POSTER, project.poster.key)), toPoster);
    // The warning of the last hour was withdrawn by the award.
    clock.offsetMs += 30 * HOUR_MS;
    assert.deepEqual(typesOf(await all(POSTER, project.poster.key)), toPoster);

    await until('the stream has everything', async () => stream.events.length === market.length);
    assert.deepEqual(stream.events, ofMarket(seen));
    const [open] = stream.events as [StreamedEvent & { data: { project: Record<string, unknown> } }];
    assert.deepEqual(open.data.project['created_at'], open.occurred_at);
    stream.close();
  });

  it('tell of a cancellation and of refunds', async () => {
    const deadline = new Date(clock.now().getTime() + HOUR_MS);
    const project = await openProject(world, { entryFeeUsdc: 0.1, deadline });
    clock.offsetMs += 60_000;
    const entrant = await enter(world, project, { picture: await drawing(3) });
    const cancel = { key: operatorKey, body: { reason: 'A complaint' } };
    expectStatus(await call(url, 'POST', `/operator/projects/${project.id}/cancel`, cancel), 200);
    const { data } = await untilType(AGENT, entrant.key, 'REFUND.SETTLED');
    assert.equal(data['amount_micro'], 100_000);
    const cancelled = await untilType(AGENT, entrant.key, 'PROJECT.CANCELLED');
    assert.deepEqual(cancelled.data, { project_id: project.id, reason: 'A complaint', cancelled_by: 'operator' });
    await untilType(POSTER, project.poster.key, 'REFUND.SETTLED');
    await untilType(POSTER, project.poster.key, 'PROJECT.CANCELLED');
  });
});

describe('the events of an account', () => {
  it('reach the account alone, and a stream resumes after the last one that it got', async () => {
    const [agent, other] = [await registerAgent(url), await registerAgent(url)];
    const authorization = `Bearer ${agent.key}`;
    const stream = await openStream(url, `${AGENT}?after=now`, { authorization });
    expectStatus(await newKey(agent.key), 201);
    expectStatus(await setStatus(agent, 'limited'), 200);
    await until('both', async () => stream.events.length === 2);
    assert.deepEqual(typesOf(stream.events), ['KEY.CREATED', 'STATUS.CHANGED']);
    const { data } = stream.events[1]!;
    assert.deepEqual(data, { status: 'limited', reason: 'A test', previous: 'active', until: null });
    const types = 'KEY.CREATED,STATUS.CHANGED';
    assert.deepEqual((await page(AGENT, agent.key, { types })).events, stream.events);
    assert.deepEqual((await page(AGENT, other.key, { types })).events, []);
    stream.close();
    const last = { authorization, 'last-event-id': stream.events[0]!.id };
    const resumed = await openStream(url, `${AGENT}?after=now`, last);
    await until('the rest', async () => resumed.events.length === 1);
    assert.deepEqual(resumed.events, stream.events.slice(1));
    resumed.close();
  });

  it('let a request wait for the next event', async () => {
    const agent = await registerAgent(url);
    const { cursor } = await page(AGENT, agent.key, { after: 'now' });
    const waiting = page(AGENT, agent.key, { after: cursor, wait: 30, types: 'KEY.CREATED' });
    expectStatus(await newKey(agent.key), 201);
    assert.deepEqual(typesOf((await waiting).events), ['KEY.CREATED']);
  });

  it('refuse a third stream and a third request that waits, until one has ended', async () => {
    const { key } = await registerAgent(url);
    const authorization = `Bearer ${key}`;
    const streams = [await openStream(url, AGENT, { authorization }), await openStream(url, AGENT, { authorization })];
    const third = await call(url, 'GET', AGENT, { key, headers: { accept: 'text/event-stream' } });
    codeIs(third, 429, 'TOO_MANY_STREAMS');
    assert.equal(third.headers.get('retry-after'), '5');
    streams[0]!.close();
    await until('a place', async () => {
      const next = await openStream(url, AGENT, { authorization });
      next.close();
      return next.status === 200;
    });
    const gone = new AbortController();
    const wait = `${url}/api/v1${AGENT}?after=now&wait=30`;
    const refused = Promise.withResolvers<void>();
    const ask = async () => {
      const answer = await fetch(wait, { headers: { authorization }, signal: gone.signal }).catch(() => null);
      if (answer?.status === 429) refused.resolve();
    };
    const waits = [ask(), ask(), ask()];
    await refused.promise;
    gone.abort();
    await Promise.all(waits);
    await until('a place', async () => (await call(url, 'GET', `${AGENT}?after=now&wait=1`, { key })).status === 200);
    streams[1]!.close();
  });

  it('reach a fast reader at once while a slow one is disconnected and resumes', async () => {
    const [slow, fast] = [await registerAgent(url), await registerAgent(url)];
    const quick = await openStream(url, `${AGENT}?after=now`, { authorization: `Bearer ${fast.key}` });
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(
      `GET /api/v1${AGENT}?after=now HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${slow.key}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once('readable', resolve));
    // The socket reads no further. Both kernels hold some megabytes of a connection.
    const name = 'x'.repeat(20_000);
    const { deps } = service;
    for (let batch = 0; batch < 8; batch += 1)
      await deps.db.begin((tx) =>
        recordEvents(
          deps,
          tx,
          clock.now(),
          Array.from({ length: 100 }, (_, index) => ({
            agent: index === 99 ? fast.id : slow.id,
            type: 'KEY.CREATED' as const,
            data: { key_id: `k${batch}-${index}`, name, scope: 'read' as const },
          })),
        ),
      );
    await numberEvents(deps);
    await until('the fast reader has its events', async () => quick.events.length === 8);
    await until('the slow reader is gone', async () => {
      const again = await openStream(url, `${AGENT}?after=now`, { authorization: `Bearer ${slow.key}` });
      const last = await openStream(url, `${AGENT}?after=now`, { authorization: `Bearer ${slow.key}` });
      again.close();
      last.close();
      return last.status === 200;
    });
    const read = await all(AGENT, slow.key, 100);
    assert.equal(read.filter(({ type }) => type === 'KEY.CREATED').length, 8 * 99);
    socket.destroy();
    // The search for secrets at the end reads every row.
    await deps.db`delete from events where stream = ${`agent:${slow.id}`}`;
    quick.close();
  });
});

it('the operator reads an alert', async () => {
  const alert = { alert: 'payout_held', subject: 'payout:1', message: 'Over the cap', details: {} } as const;
  await alertOperator(service.deps, alert);
  await untilType('/operator/events', operatorKey, 'ALERT');
});

describe('a stream', () => {
  it('ends with a suspension, after telling of it, also for a reader of other types', async () => {
    const agent = await registerAgent(url);
    const authorization = `Bearer ${agent.key}`;
    const stream = await openStream(url, `${AGENT}?after=now`, { authorization });
    const ofKeys = await openStream(url, `${AGENT}?after=now&types=KEY.CREATED`, { authorization });
    expectStatus(await setStatus(agent, 'suspended'), 200);
    await Promise.all([stream.ended, ofKeys.ended]);
    assert.deepEqual([typesOf(stream.events), ofKeys.events], [['STATUS.CHANGED'], []]);
    codeIs(await call(url, 'GET', AGENT, { key: agent.key }), 403, 'AGENT_SUSPENDED');
  });

  it('ends with its session', async () => {
    for (const [path, api_key, events] of [
      ['/agents/session', (await registerAgent(url)).key, AGENT],
      ['/posters/session', (await registerPoster(url)).key, POSTER],
      ['/operator/session', operatorKey, '/operator/events'],
    ] as const) {
      const cookie = cookieOf(expectStatus(await call(url, 'POST', path, { body: { api_key } }), 200));
      const stream = await openStream(url, events, { cookie });
      assert.equal(stream.status, 200);
      expectStatus(await call(url, 'DELETE', path, { headers: { cookie, origin: url } }), 200);
      assert.notEqual(await Promise.race([stream.ended, sleep(1_000, 'late')]), 'late');
    }
  });
});

it('refuses what the contract does not know, on a stream too', async () => {
  const { key } = await registerAgent(url);
  for (const query of ['after=yesterday', 'types=PROJECT.OPEN,NOTHING', 'types=', 'wait=31', 'limit=0', 'limit=101'])
    for (const accept of ['application/json', 'text/event-stream'])
      codeIs(await call(url, 'GET', `${AGENT}?${query}`, { key, headers: { accept } }), 400, 'INVALID_PARAMETER');
});
