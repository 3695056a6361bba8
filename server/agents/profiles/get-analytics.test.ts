import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyticsOperations } from '../../../contract/agents/analytics.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { agentsWorld } from '../../../test/support/worlds/agents-world.ts';
import { historyWorld } from '../../../test/support/worlds/history-world.ts';
import { getAnalytics } from './get-analytics.ts';

const { db } = await testDatabase();
const history = await historyWorld(db);
const { query: metricQuery, output } = analyticsOperations.getAnalytics;

/** Reads a metric of an agent at a time. The agents of these tests registered on Mar 1, 2026. */
async function readMetric(
  agentId: string,
  given: { metric?: string; timeframe?: string },
  at = '2026-03-10T00:00:00.000Z',
) {
  const world = agentsWorld(db, { clock: { now: () => new Date(at) } });
  return output.parse(await getAnalytics(world.as(agentId, 'key'), { query: metricQuery.parse(given) }));
}

async function overTime(agentId: string, metric: string, timeframe: string, at?: string) {
  const answer = await readMetric(agentId, { metric, timeframe }, at);
  assert.ok('series' in answer);
  return { ...answer, days: answer.series.map(({ value }) => value) };
}

type Entry = Parameters<typeof history.enter>[1] & { paidAt?: string };

async function enter(agentId: string, { paidAt, ...entry }: Entry): Promise<void> {
  const { id } = await history.enter(agentId, entry);
  if (paidAt) await db`update submissions set paid_at = ${new Date(paidAt)} where id = ${id}`;
}

describe('the analytics of an agent', () => {
  it('are the win rate of 30 days by default, with nulls for a new agent', async () => {
    const id = await history.newAgent();
    const answer = await readMetric(id, {});
    assert.ok('series' in answer);
    const { series, ...rest } = answer;
    assert.deepEqual(rest, {
      metric: 'winRate',
      timeframe: '30d',
      from: '2026-02-09T00:00:00.000Z',
      to: '2026-03-10T00:00:00.000Z',
      value: 0,
      previousValue: null,
      change: null,
    });
    assert.deepEqual([series.length, series[0]?.date, series.at(-1)?.date], [30, '2026-02-09', '2026-03-10']);
    assert.ok(series.every(({ value }) => value === null));
    const { value, previousValue, change } = await overTime(id, 'submissions', '7d');
    assert.deepEqual([value, previousValue, change], [0, 0, 0]);
  });

  it('count from the first millisecond of a UTC day to the last, next to as many earlier days', async () => {
    const id = await history.newAgent();
    for (const at of [
      '2026-02-24T23:59:59.999Z',
      '2026-02-25T00:00:00.000Z',
      '2026-03-03T23:59:59.999Z',
      '2026-03-04T00:00:00.000Z',
      '2026-03-09T23:59:59.999Z',
      '2026-03-10T00:00:00.000Z',
    ])
      await enter(id, { at });
    for (const at of ['2026-03-10T00:00:00.000Z', '2026-03-10T23:59:59.999Z']) {
      const week = await overTime(id, 'submissions', '7d', at);
      assert.deepEqual([week.from, week.to], ['2026-03-04T00:00:00.000Z', at]);
      assert.deepEqual([week.value, week.previousValue, week.change], [3, 2, 1]);
      assert.deepEqual(week.days, [1, 0, 0, 0, 0, 1, 1]);
    }
    const next = await overTime(id, 'submissions', '7d', '2026-03-11T00:00:00.000Z');
    assert.deepEqual([next.value, next.previousValue, next.series[0]?.date], [2, 2, '2026-03-05']);
  });

  it('count earnings on the day of their settlement, and rates and means by the day of the entry', async () => {
    const id = await history.newAgent();
    const won = { outcome: 'won', score: 5, earnedMicro: 1_500_000 } as const;
    await enter(id, { ...won, at: '2026-03-08T10:00:00Z', paidAt: '2026-03-09T23:59:59.999Z' });
    await enter(id, { at: '2026-03-08T11:00:00Z', outcome: 'lost', score: 2 });
    await enter(id, { at: '2026-03-08T12:00:00Z', outcome: 'cancelled', score: 1 });
    await enter(id, { at: '2026-03-10T00:00:00Z', score: 1 });
    await enter(id, { ...won, at: '2026-03-01T10:00:00Z', earnedMicro: 100_001, paidAt: '2026-03-10T00:00:00.000Z' });
    // This win was awarded before the window and has not settled.
    await enter(id, { ...won, at: '2026-03-05T10:00:00Z' });
    for (const [metric, value, previous, change, days] of [
      ['earnings', 1.600001, 0, 1.600001, [0, 1.5, 0.100001]],
      ['winRate', 50, 100, -50, [50, null, null]],
      ['averageScore', 3.5, 5, -1.5, [3.5, null, null]],
      ['submissions', 4, 1, 3, [3, 0, 1]],
    ] as const) {
      const shown = await overTime(id, metric, '3d');
      assert.deepEqual(
        [shown.value, shown.previousValue, shown.change, shown.days],
        [value, previous, change, days],
        metric,
      );
    }
  });

  it('go back to the registration or the oldest entry for `all`, without an earlier period', async () => {
    const id = await history.newAgent();
    const fresh = await overTime(id, 'submissions', 'all');
    assert.deepEqual(
      [fresh.from, fresh.previousValue, fresh.change, fresh.days.length],
      ['2026-03-01T00:00:00.000Z', null, null, 10],
    );
    await enter(id, { at: '2026-03-09T10:00:00Z', outcome: 'won', score: 4 });
    await enter(id, { at: '2025-03-09T10:00:00Z', outcome: 'lost', score: 1 });
    const older = await overTime(id, 'winRate', 'all');
    assert.deepEqual([older.value, older.from, older.days.length], [50, '2025-03-09T00:00:00.000Z', 367]);
    const year = await overTime(id, 'submissions', '365d');
    assert.deepEqual([year.value, year.previousValue], [1, 1]);
  });

  it('count an entry in every category of its project, with figures of the period only', async () => {
    const id = await history.newAgent();
    const paidAt = '2026-03-09T12:00:00Z';
    const [art, both, ads] = [['pixel-art'], ['illustration', 'logo-design'], ['banner-ads']];
    const at = '2026-03-09T10:00:00Z';
    await enter(id, { at, specializations: both, outcome: 'won', score: 4, earnedMicro: 2_000_000, paidAt });
    await enter(id, { at, specializations: art, outcome: 'lost', score: 3 });
    await enter(id, { at, specializations: ['logo-design'] });
    const before = { at: '2026-02-01T10:00:00Z', specializations: ads };
    await enter(id, { ...before, outcome: 'won', earnedMicro: 1_000_000, paidAt });
    await enter(id, { ...before, outcome: 'lost', score: 1 });
    const rows = async (timeframe: string) => {
      const answer = await readMetric(id, { metric: 'categoryBreakdown', timeframe });
      assert.ok('categories' in answer);
      return answer.categories.map(({ category, submissions, wins, winRate, earnings, averageScore }) => [
        category,
        submissions,
        wins,
        winRate,
        earnings,
        averageScore,
      ]);
    };
    assert.deepEqual(await rows('7d'), [
      ['Art', 2, 1, 50, 2, 3.5],
      // The agent entered earlier, and the payout settled in this week.
      ['Marketing', 0, 0, 0, 1, 0],
      // The other entry is neither won nor lost yet.
      ['Symbols & Corporate', 2, 1, 100, 2, 4],
    ]);
    assert.deepEqual((await rows('all'))[1], ['Marketing', 2, 1, 50, 1, 1]);
  });

  it('are AGENT_NOT_FOUND for an agent that was removed', async () => {
    for (const metric of ['submissions', 'categoryBreakdown'])
      await assert.rejects(readMetric('01a1fd68-1a1d-7b89-b14d-8a21a36746c2', { metric }), { code: 'AGENT_NOT_FOUND' });
  });
});
