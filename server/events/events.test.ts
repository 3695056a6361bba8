import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import pino from 'pino';
import { testDatabase } from '../../test/support/test-database.ts';
import type { AgentCaller } from '../callers.ts';
import type { Deps } from '../deps.ts';
import { createPool } from '../db/pool.ts';
import { withTransaction } from '../db/transaction.ts';
import { encodeSeq, parseAfter } from './cursor.ts';
import { eventsAfter } from './events-after.ts';
import { createEventHub } from './hub.ts';
import { numberEvents, removeOldEvents } from './number-events.ts';
import { findHead } from './queries.ts';
import { type NewEvent, recordAlert, recordEvents } from './record-events.ts';
import { recordDependencyChange } from './dependency-alerts.ts';

const { db, url } = await testDatabase();
let now = Date.parse('2026-03-01T12:00:00.000Z');
const config = { earlyAccessSeconds: 60 } as Deps['config'];

const deps = {
  db,

  reads: db,
  config,
  clock: { now: () => new Date(now) },
  newId: () => randomUUIDv7(),
} as Pick<Deps, 'db' | 'reads' | 'config' | 'clock' | 'newId'>;

const at = () => new Date(now);

const agent = (tier: AgentCaller['tier'] = 'starter'): AgentCaller => ({
  kind: 'agent',
  agentId: randomUUIDv7(),
  keyId: 'key',
  scope: 'read',
  tier,
  status: 'active',
});

const record = (...events: NewEvent[]) => db.begin((tx) => recordEvents(deps, tx, at(), events));
const number = () => numberEvents(deps);

const keyCreated = (to: AgentCaller, name: string): NewEvent => ({
  agent: to.agentId,
  type: 'KEY.CREATED',
  data: { key_id: 'k', name, scope: 'read' },
});

const judging = (projectId: string, publishedAt: Date): NewEvent => ({
  market: { publishedAt, visibleAt: new Date(publishedAt.getTime() + 60_000) },
  type: 'PROJECT.JUDGING',
  data: { project_id: projectId, judging_ends_at: 'then', total_submissions: 0 },
});

const risen = (to: AgentCaller): NewEvent => ({
  agent: to.agentId,
  type: 'TIER.CHANGED',
  data: { tier: 'elite', previous: 'pro' },
});

/** Reads to the end in pages of two, from one cursor to the next. */
async function readAll(reader: AgentCaller, after?: string, types: string[] | null = null) {
  const events: { id: string; type: string; data: Record<string, unknown> }[] = [];
  let cursor = after;
  for (;;) {
    const page = await eventsAfter(deps, { reader, after: parseAfter(cursor), types, limit: 2 });
    events.push(
      ...page.events.map(({ id, type, data }) => ({ id, type, data: JSON.parse(data) as Record<string, unknown> })),
    );
    cursor = page.cursor;
    if (!page.hasMore) return { events, cursor };
  }
}

const names = ({ events }: Awaited<ReturnType<typeof readAll>>) => events.map(({ data }) => data['name']);

const projects = ({ events }: Awaited<ReturnType<typeof readAll>>) =>
  events.filter(({ type }) => type === 'PROJECT.JUDGING').map(({ data }) => data['project_id']);

let minute = 0;

const change = (part: string, up: boolean) =>
  recordDependencyChange(deps, { part, up, at: new Date(Date.UTC(2026, 2, 1, 12, minute++)) });

async function told(part: string): Promise<string[]> {
  const rows = await db<{ alert: string }[]>`
    select data ->> 'alert' as alert from events where stream = 'operator' and data ->> 'subject' = ${`dependency:${part}`} order by written`;
  return rows.map(({ alert }) => alert.replace('dependency_', ''));
}

describe('the event log', () => {
  it('shows a row after it is numbered, to its own account only, and a cursor continues', async () => {
    const [one, other] = [agent(), agent()];
    await record(keyCreated(one, 'a'), keyCreated(other, 'x'), keyCreated(one, 'b'));
    assert.deepEqual(names(await readAll(one)), []);
    await number();
    const first = await readAll(one);
    assert.deepEqual(names(first), ['a', 'b']);
    await record(keyCreated(one, 'c'));
    await number();
    assert.deepEqual(names(await readAll(one, first.cursor)), ['c']);
    assert.deepEqual(names(await readAll(one, first.events[0]!.id)), ['b', 'c']);
    assert.deepEqual(names(await readAll(one, 'now')), []);
    assert.deepEqual(names(await readAll(one, undefined, ['TIER.CHANGED'])), []);
  });

  it('hands a reader that waits its own rows only, also from memory', async () => {
    const [one, other] = [agent(), agent()];
    const hub = createEventHub({ db, log: pino({ level: 'silent' }) });
    const { last: seq } = await findHead(db);
    const taken: string[] = [];
    const first = Promise.withResolvers<void>();
    const reader = { account: `agent:${one.agentId}`, market: false, types: null };
    const take = ({ data }: { data: string }) => {
      taken.push((JSON.parse(data) as { name: string }).name);
      first.resolve();
    };
    hub.join({ ...reader, keyId: null, endsWith: [], seq, eliteFrom: null, take, end: () => {} });
    await record(keyCreated(other, 'x'), keyCreated(one, 'a'));
    await number();
    await first.promise;
    assert.deepEqual(taken, ['a']);
    const kept = hub.recent(reader, seq)?.events.map(({ stream }) => stream);
    assert.deepEqual(kept, [reader.account]);
    hub.stop();
  });

  it('numbers a transaction that commits late after the ones that readers have seen', async () => {
    const reader = agent();
    const written = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const late = db.begin(async (tx) => {
      await recordEvents(deps, tx, at(), [keyCreated(reader, 'late')]);
      written.resolve();
      await commit.promise;
    });
    await written.promise;
    await record(keyCreated(reader, 'early'));
    await number();
    const seen = await readAll(reader);
    assert.deepEqual(names(seen), ['early']);
    commit.resolve();
    await late;
    await number();
    assert.deepEqual(names(await readAll(reader, seen.cursor)), ['late']);
  });

  it('gives each row one number when two processes number at once, and a failed one leaves no gap', async () => {
    const reader = agent();
    await Promise.all(Array.from({ length: 30 }, (_, index) => record(keyCreated(reader, String(index)))));
    const second = createPool({ url, connections: 2 });
    const failed = withTransaction(second, async (tx) => {
      await tx`select last from event_head for update`;
      await tx`update events set seq = 1000000 + written where seq is null`;
      throw new Error('before the commit');
    });
    await assert.rejects(failed, /before the commit/);
    await Promise.all([number(), numberEvents({ ...deps, db: second }), number()]);
    await number();
    await second.end();
    assert.equal((await readAll(reader)).events.length, 30);
    const [gaps] = await db`select max(seq) - min(seq) + 1 - count(*) as gaps from events`;
    assert.equal(gaps!['gaps'], 0);
  });

  it('shows an event of a project in early access at once to elite agents, and later to others', async () => {
    const [starter, elite] = [agent(), agent('elite')];
    const [start, open] = [(await readAll(starter)).cursor, randomUUIDv7()];
    await record(judging(open, at()));
    await number();
    assert.deepEqual(projects(await readAll(elite, start)), [open]);
    const before = await readAll(starter, start);
    assert.deepEqual(projects(before), []);
    now += 59_999;
    await number();
    assert.deepEqual(projects(await readAll(starter, before.cursor)), []);
    now += 1;
    await number();
    assert.deepEqual(projects(await readAll(starter, before.cursor)), [open]);
    assert.deepEqual(projects(await readAll(elite, start)), [open]);
    // The same id for both.
    assert.equal((await readAll(elite, start)).events[0]!.id, (await readAll(starter, start)).events[0]!.id);
  });

  it('loses and repeats nothing for an agent that becomes elite, wherever it stands', async () => {
    const reader = agent('pro');
    const start = (await readAll(reader)).cursor;
    const ids = Array.from({ length: 6 }, () => randomUUIDv7());
    const cursors = [start];
    const step = async (...events: NewEvent[]) => {
      await record(...events);
      await number();
      cursors.push((await readAll(reader, cursors.at(-1))).cursor);
    };
    const seen: unknown[] = [];
    await step(judging(ids[0]!, at()));
    now += 30_000;
    await step(judging(ids[1]!, at()));
    now += 30_000;
    await step(judging(ids[2]!, at()));
    await step(risen(reader));
    const elite = { ...reader, tier: 'elite' as const };
    await step(judging(ids[3]!, at()));
    now += 60_000;
    await step(judging(ids[4]!, at()));
    now += 60_000;
    await step(judging(ids[5]!, at()));
    const all = projects(await readAll(elite, start));
    assert.deepEqual(new Set(all), new Set(ids));
    assert.equal(all.length, ids.length);
    assert.deepEqual(projects(await readAll(reader, start)), all, 'a stale tier of the caller changes nothing');
    // Reading in steps gives the same sequence as reading at the end.
    for (const [index, cursor] of cursors.slice(0, -1).entries()) {
      const upTo = await readAll(elite, cursors[index + 1]);
      const both = await readAll(elite, cursor);
      seen.push(...projects(both).slice(0, projects(both).length - projects(upTo).length));
    }
    assert.deepEqual(seen, all);
  });

  it('removes old events, and tells readers that come from before', async () => {
    const reader = agent();
    // Early access is over for the events of the tests before.
    now += 60_000;
    await record(keyCreated(reader, 'old'));
    await number();
    const { cursor } = await readAll(reader, 'now');
    const old = (await readAll(reader)).events[0]!.id;
    now += 91 * 86_400_000;
    await record(keyCreated(reader, 'new'));
    await number();
    await removeOldEvents(deps, new AbortController().signal);
    assert.deepEqual(names(await readAll(reader)), ['new']);
    const page = (after: string | undefined) =>
      eventsAfter(deps, { reader, after: parseAfter(after), types: null, limit: 10 });
    assert.equal((await page(undefined)).truncated, false);
    assert.equal((await page(cursor)).truncated, false, 'nothing after this cursor was removed');
    for (const after of [encodeSeq(0), old, randomUUIDv7(), encodeSeq(1e9)]) {
      const { truncated, events } = await page(after);
      assert.deepEqual([truncated, events.length], [true, 1], after);
    }
  });

  it('tells an alert about one subject once a day', async () => {
    const alert = { subject: 'payout:1', message: 'held', details: { cap: 'daily', amount_micro: 5 } };
    for (let times = 0; times < 3; times += 1)
      await db.begin((tx) => recordAlert(tx, at(), { alert: 'payout_held', ...alert }));
    await number();
    now += 86_400_000;
    await db.begin((tx) => recordAlert(tx, at(), { alert: 'payout_held', ...alert }));
    await number();
    const { events } = await eventsAfter(deps, {
      reader: { kind: 'operator', name: null, scope: 'read' },
      after: 'oldest',
      types: null,
      limit: 10,
    });
    const expected = { alert: 'payout_held', ...alert };
    assert.deepEqual(
      events.map(({ data }) => JSON.parse(data) as unknown),
      [expected, expected],
    );
  });
});

it('tells each change once, although several processes see it, and again after the next change', async () => {
  assert.equal(await change('storage', true), false, 'a part that was never away is not back');
  const seen = await Promise.all(Array.from({ length: 6 }, () => change('storage', false)));
  assert.equal(seen.filter(Boolean).length, 1);
  assert.deepEqual(await told('storage'), ['down']);
  // The newest event is found before and after it has its number.
  await numberEvents(deps);
  assert.equal(await change('storage', false), false);
  assert.equal(await change('chain', true), false, 'another part');
  await Promise.all([change('storage', true), change('storage', true)]);
  assert.equal(await change('storage', true), false);
  await numberEvents(deps);
  await change('storage', false);
  assert.deepEqual(await told('storage'), ['down', 'back', 'down']);
  assert.deepEqual(await told('chain'), []);
});
