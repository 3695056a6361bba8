import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { historyWorld } from '../support/worlds/history-world.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, registerAgent } from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// The clock stands still. Tests set it to the millisecond.
let now = new Date('2026-03-10T00:00:00.000Z');
const env = { LIMIT_AGENT_ACCOUNT_PER_MINUTE: '100000', LIMIT_REGISTRATIONS_PER_HOUR: '1000' };
const world = await startWorld({ env, wrap: () => ({ clock: { now: () => now } }) });
const { url, service, errors } = world;
const { db } = service.deps;
const history = await historyWorld(db);

const DAY_MS = 86_400_000;
const analytics = (key: string, query: Record<string, string> = {}) =>
  call(url, 'GET', `/agents/me/analytics?${new URLSearchParams(query).toString()}`, { key });
const read = async (key: string, metric: string, timeframe: string) =>
  expectStatus(await analytics(key, { metric, timeframe }), 200).body.data;

type Entry = Parameters<typeof history.enter>[1] & { paidAt?: string };

async function enter(agentId: string, { paidAt, ...entry }: Entry): Promise<void> {
  const { id } = await history.enter(agentId, entry);
  if (paidAt) await db`update submissions set paid_at = ${new Date(paidAt)} where id = ${id}`;
}

async function at<T>(time: string, work: () => Promise<T>): Promise<T> {
  const before = now;
  now = new Date(time);
  try {
    return await work();
  } finally {
    now = before;
  }
}

describe('GET /agents/me/analytics', () => {
  it('returns the win rate of 30 days by default, and nulls for a new agent', async () => {
    const { key } = await registerAgent(url);
    const { series, ...rest } = expectStatus(await analytics(key), 200).body.data;
    assert.deepEqual(rest, {
      metric: 'winRate',
      timeframe: '30d',
      from: '2026-02-09T00:00:00.000Z',
      to: '2026-03-10T00:00:00.000Z',
      value: 0,
      previousValue: null,
      change: null,
    });
    assert.deepEqual([series.length, series[0].date, series.at(-1).date], [30, '2026-02-09', '2026-03-10']);
    assert.ok(series.every(({ value }: { value: null }) => value === null));
    const submissions = await read(key, 'submissions', '7d');
    assert.deepEqual([submissions.value, submissions.previousValue, submissions.change], [0, 0, 0]);
    assert.ok(submissions.series.every(({ value }: { value: number }) => value === 0));
  });

  it('counts from the first millisecond of a UTC day to the last, next to as many earlier days', async () => {
    const { id, key } = await registerAgent(url);
    for (const time of [
      '2026-02-24T23:59:59.999Z',
      '2026-02-25T00:00:00.000Z',
      '2026-03-03T23:59:59.999Z',
      '2026-03-04T00:00:00.000Z',
      '2026-03-09T23:59:59.999Z',
      '2026-03-10T00:00:00.000Z',
    ])
      await enter(id, { at: time });
    for (const time of ['2026-03-10T00:00:00.000Z', '2026-03-10T23:59:59.999Z']) {
      await at(time, async () => {
        const { from, to, value, previousValue, change, series } = await read(key, 'submissions', '7d');
        assert.deepEqual([from, to], ['2026-03-04T00:00:00.000Z', time]);
        assert.deepEqual([value, previousValue, change], [3, 2, 1]);
        assert.deepEqual(
          series.map((day: { date: string; value: number }) => [day.date, day.value]),
          [
            ['2026-03-04', 1],
            ['2026-03-05', 0],
            ['2026-03-06', 0],
            ['2026-03-07', 0],
            ['2026-03-08', 0],
            ['2026-03-09', 1],
            ['2026-03-10', 1],
          ],
        );
        const today = await read(key, 'submissions', '1d');
        assert.deepEqual([today.value, today.previousValue, today.series.length], [1, 1, 1]);
      });
    }
    await at('2026-03-11T00:00:00.000Z', async () => {
      const { value, previousValue, series } = await read(key, 'submissions', '7d');
      assert.deepEqual([value, previousValue, series[0].date], [2, 2, '2026-03-05']);
    });
  });

  it('counts earnings on the day of their settlement, rates and means by the day of the entry, and gaps as null', async () => {
    const { id, key } = await registerAgent(url);
    const won = { outcome: 'won', score: 5, earnedMicro: 1_500_000 } as const;
    await enter(id, { ...won, at: '2026-03-08T10:00:00Z', paidAt: '2026-03-09T23:59:59.999Z' });
    await enter(id, { at: '2026-03-08T11:00:00Z', outcome: 'lost', score: 2 });
    await enter(id, { at: '2026-03-08T12:00:00Z', outcome: 'cancelled', score: 1 });
    await enter(id, { at: '2026-03-10T00:00:00Z', score: 1 });
    await enter(id, { ...won, at: '2026-03-01T10:00:00Z', earnedMicro: 100_001, paidAt: '2026-03-10T00:00:00.000Z' });
    // This win was awarded before the window and has not settled.
    await enter(id, { ...won, at: '2026-03-05T10:00:00Z' });
    const days = async (metric: string) => {
      const { value, previousValue, change, series } = await read(key, metric, '3d');
      return { value, previousValue, change, series: series.map((day: { value: number }) => day.value) };
    };
    assert.deepEqual(await days('earnings'), {
      value: 1.600001,
      previousValue: 0,
      change: 1.600001,
      series: [0, 1.5, 0.100001],
    });
    assert.deepEqual(await days('winRate'), {
      value: 50,
      previousValue: 100,
      change: -50,
      series: [50, null, null],
    });
    assert.deepEqual(await days('averageScore'), {
      value: 3.5,
      previousValue: 5,
      change: -1.5,
      series: [3.5, null, null],
    });
    assert.deepEqual(await days('submissions'), { value: 4, previousValue: 1, change: 3, series: [3, 0, 1] });
  });

  it('returns `all` from the registration or the oldest entry, without an earlier period', async () => {
    const { id, key } = await at('2026-03-08T15:00:00.000Z', () => registerAgent(url));
    const fresh = await read(key, 'submissions', 'all');
    assert.deepEqual(
      [fresh.from, fresh.previousValue, fresh.change, fresh.series.length],
      ['2026-03-08T00:00:00.000Z', null, null, 3],
    );
    await enter(id, { at: '2026-03-09T10:00:00Z', outcome: 'won', score: 4 });
    const { value, series } = await read(key, 'submissions', 'all');
    assert.deepEqual([value, series.map((day: { value: number }) => day.value)], [1, [0, 1, 0]]);
    await enter(id, { at: '2025-03-09T10:00:00Z', outcome: 'lost', score: 1 });
    const older = await read(key, 'winRate', 'all');
    assert.deepEqual([older.value, older.from, older.series.length], [50, '2025-03-09T00:00:00.000Z', 367]);
    assert.equal((await read(key, 'submissions', '365d')).value, 1);
    assert.equal((await read(key, 'submissions', '365d')).previousValue, 1);
  });

  it('counts an entry in every category of its project, with figures of the period only', async () => {
    const { id, key } = await registerAgent(url);
    const paid = '2026-03-09T12:00:00Z';
    await enter(id, {
      at: '2026-03-09T10:00:00Z',
      specializations: ['illustration', 'logo-design'],
      outcome: 'won',
      score: 4,
      earnedMicro: 2_000_000,
      paidAt: paid,
    });
    await enter(id, { at: '2026-03-09T11:00:00Z', specializations: ['pixel-art'], outcome: 'lost', score: 3 });
    await enter(id, { at: '2026-03-09T11:00:00Z', specializations: ['logo-design'] });
    await enter(id, {
      at: '2026-02-01T10:00:00Z',
      specializations: ['banner-ads'],
      outcome: 'won',
      earnedMicro: 1_000_000,
      paidAt: paid,
    });
    await enter(id, { at: '2026-02-01T11:00:00Z', specializations: ['banner-ads'], outcome: 'lost', score: 1 });
    const week = await read(key, 'categoryBreakdown', '7d');
    const row = (
      category: string,
      submissions: number,
      wins: number,
      winRate: number,
      earnings: number,
      averageScore: number,
    ) => ({
      category,
      submissions,
      wins,
      winRate,
      earnings,
      averageScore,
    });
    assert.deepEqual(week, {
      metric: 'categoryBreakdown',
      timeframe: '7d',
      from: '2026-03-04T00:00:00.000Z',
      to: '2026-03-10T00:00:00.000Z',
      categories: [
        row('Art', 2, 1, 50, 2, 3.5),
        // The agent entered earlier, and the payout settled in this week.
        row('Marketing', 0, 0, 0, 1, 0),
        // The other entry is neither won nor lost yet.
        row('Symbols & Corporate', 2, 1, 100, 2, 4),
      ],
    });
    const all = await read(key, 'categoryBreakdown', 'all');
    assert.deepEqual(all.categories[1], row('Marketing', 2, 1, 50, 1, 1));
  });

  it('refuses any other metric or timeframe', async () => {
    const { key } = await registerAgent(url);
    for (const timeframe of [
      '',
      '0d',
      '366d',
      '1000d',
      '030d',
      '7D',
      '7',
      'd',
      '-7d',
      '7.5d',
      ' 7d',
      '7d ',
      '1w',
      'ALL',
      'all ',
      '7d,30d',
    ])
      codeIs(await analytics(key, { timeframe }), 400, 'INVALID_PARAMETER', /timeframe/);
    for (const metric of ['', 'wins', 'WinRate', 'winRate,earnings', '__proto__'])
      codeIs(await analytics(key, { metric }), 400, 'INVALID_PARAMETER', /metric/);
    for (const timeframe of ['1d', '365d', 'all']) assert.equal((await analytics(key, { timeframe })).status, 200);
  });

  it('hides other agents’ figures and answers AGENT_NOT_FOUND after the agent is deleted', async () => {
    const [mine, other] = [await registerAgent(url), await registerAgent(url)];
    await enter(other.id, { at: '2026-03-09T10:00:00Z', outcome: 'won' });
    assert.equal((await read(mine.key, 'submissions', 'all')).value, 0);
    await db`delete from agent_keys where agent_id = ${mine.id}`;
    await db`delete from agents where id = ${mine.id}`;
    codeIs(await analytics(mine.key), 404, 'AGENT_NOT_FOUND');
    codeIs(await analytics(mine.key, { metric: 'categoryBreakdown' }), 404, 'AGENT_NOT_FOUND');
  });
});

describe('recentActivity of the profile', () => {
  it('goes back 7 and 30 times 24 hours, to the millisecond', async () => {
    const { id, key } = await registerAgent(url);
    const ago = (days: number, ms = 0) => new Date(now.getTime() - days * DAY_MS - ms).toISOString();
    for (const [index, time] of [ago(7), ago(7, 1), ago(30), ago(30, 1), ago(0)].entries()) {
      const entry = await history.enter(id, { at: time, outcome: 'won', earnedMicro: 10 ** index });
      await db`update submissions set decided_at = ${new Date(time)}, paid_at = ${new Date(time)} where id = ${entry.id}`;
    }
    const { recentActivity } = (await call(url, 'GET', '/agents/me', { key })).body.data.agent;
    assert.deepEqual(recentActivity, {
      last7Days: { submissions: 2, wins: 2, earnings: 0.010001 },
      last30Days: { submissions: 4, wins: 4, earnings: 0.010111 },
    });
  });
});

it('the tests received every answer that this operation can give', () => {
  assert.deepEqual(notSeen('Analytics'), []);
  assert.deepEqual(errors, []);
});
