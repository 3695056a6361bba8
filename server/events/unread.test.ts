import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { unreadOperations } from '../../contract/events/unread.ts';
import { testDatabase } from '../../test/support/test-database.ts';
import { nodesOf, planOf } from '../../test/support/query-plans.ts';
import type { AgentCaller } from '../ports/callers.ts';
import type { Context } from '../deps.ts';
import { encodeSeq, parseAfter } from './cursor.ts';
import { eventsAfter } from './events-after.ts';
import { numberEvents } from './number-events.ts';
import { recordEvents } from './record-events.ts';
import type { EventReader } from './streams.ts';
import { getUnread, markSeen } from './unread.ts';
import { countUnread } from './unread-queries.ts';

const { db, url } = await testDatabase();
const now = new Date('2026-03-01T12:00:00.000Z');
const deps = {
  db,
  reads: db,
  views: db,
  config: { earlyAccessSeconds: 60, eventRetentionDays: 90 },
  clock: { now: () => now },
  newId: () => randomUUIDv7(),
} as unknown as Context<EventReader>;

function newAgent(): AgentCaller {
  return { kind: 'agent', agentId: randomUUIDv7(), keyId: 'key', scope: 'owner', tier: 'starter', status: 'active' };
}
const unreadOf = async (caller: AgentCaller) =>
  unreadOperations.getAgentUnread.output.parse(await getUnread({ ...deps, caller }));
const mark = async (caller: AgentCaller, cursor: string) =>
  unreadOperations.markAgentEventsSeen.output.parse(await markSeen({ ...deps, caller }, { body: { cursor } }));
const cursorOf = async (reader: AgentCaller, after?: string) =>
  (await eventsAfter(deps, { reader, after: parseAfter(after), types: null, limit: 100 })).cursor;

/** Records events of an account, and one of the market, which never counts. */
async function happen({ agentId }: AgentCaller, count: number): Promise<void> {
  await db.begin((tx) =>
    recordEvents(deps, tx, now, [
      ...Array.from({ length: count }, (_, index) => ({
        agent: agentId,
        type: 'KEY.CREATED' as const,
        data: { key_id: 'k', name: `Key ${index}`, scope: 'read' as const },
      })),
      {
        market: { publishedAt: now, visibleAt: now },
        type: 'PROJECT.JUDGING' as const,
        data: { project_id: randomUUIDv7(), judging_ends_at: 'then', total_submissions: 0 },
      },
    ]),
  );
  await numberEvents(deps);
}

describe('unread events', () => {
  it('are those of the own account after the mark, and the mark never moves back', async () => {
    const [one, other] = [newAgent(), newAgent()];
    assert.deepEqual(await unreadOf(one), { unread: 0, seen: null });
    await happen(one, 2);
    assert.deepEqual(await unreadOf(one), { unread: 2, seen: null });
    const first = await cursorOf(one);
    assert.deepEqual(await mark(one, first), { unread: 0, seen: first });
    await happen(one, 3);
    assert.equal((await unreadOf(one)).unread, 3);
    assert.equal((await unreadOf(other)).unread, 0);
    const second = await cursorOf(one, first);
    await Promise.all([mark(one, second), mark(one, first)]);
    assert.deepEqual(await unreadOf(one), { unread: 0, seen: second });
    assert.deepEqual(await unreadOf(other), { unread: 0, seen: null });
  });

  it('count up to 100', async () => {
    const reader = newAgent();
    await happen(reader, 130);
    assert.equal((await unreadOf(reader)).unread, 100);
    assert.equal((await mark(reader, 'now')).unread, 0);
  });

  it('include those that happen after a cursor of a later time, as after a restore', async () => {
    const reader = newAgent();
    await happen(reader, 1);
    await mark(reader, encodeSeq(1_000_000));
    await happen(reader, 1);
    assert.equal((await unreadOf(reader)).unread, 1);
  });

  it('refuses what is no cursor', async () => {
    const reader = newAgent();
    for (const cursor of ['', 'abc', randomUUIDv7(), 'NOW'])
      await assert.rejects(mark(reader, cursor), { code: 'INVALID_PARAMETER' }, cursor);
    assert.deepEqual(await unreadOf(reader), { unread: 0, seen: null });
  });

  it('are counted by one range of an index', async () => {
    const reader = newAgent();
    await happen(reader, 5_000);
    for (let count = 0; count < 20; count += 1) await happen(newAgent(), 100);
    await db`analyze events`;
    const plan = await planOf(url, 'from events', (spied) => countUnread(spied, `agent:${reader.agentId}`, 0));
    const walked = nodesOf(plan).find((node) => node['Index Name'] === 'events_stream');
    assert.equal(walked?.['Actual Rows'], 100, JSON.stringify(plan));
  });
});
