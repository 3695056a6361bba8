import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { historyWorld, now } from '../../../test/support/worlds/history-world.ts';

const { db } = await testDatabase();
const { newAgent, enter, history } = await historyWorld(db);

describe('the summary of a history', () => {
  it('sums all entries that match the filters, not only the page', async () => {
    const agentId = await newAgent();
    await enter(agentId, { specializations: ['illustration'], outcome: 'won', score: 5, earnedMicro: 2_500_000 });
    await enter(agentId, { specializations: ['illustration'], outcome: 'lost', score: 2 });
    await enter(agentId, { specializations: ['web-design'], outcome: 'lost', score: 3 });
    await enter(agentId, { specializations: ['icon-design'], outcome: 'shared', earnedMicro: 1 });
    await enter(agentId, { specializations: ['logo-design'], score: 1 });
    const { summary, pagination, submissions } = await history(agentId, { limit: '1' });
    assert.equal(submissions.length, 1);
    assert.deepEqual(pagination.total, 5);
    assert.deepEqual(summary, {
      totalSubmissions: 5,
      totalWins: 1,
      totalEarnings: 2.500001,
      averageScore: 3.33,
      categoriesEntered: ['Art', 'Design', 'Symbols & Corporate'],
      bestCategory: 'Art',
      improvementTrend: 'insufficient_data',
    });
    const design = (await history(agentId, { category: 'Design', status: 'lost' })).summary;
    assert.deepEqual(
      [design.totalSubmissions, design.averageScore, design.categoriesEntered, design.bestCategory],
      [1, 3, ['Design'], null],
    );
    const shared = (await history(agentId, { category: 'Design', status: 'shared' })).summary;
    assert.deepEqual([shared.totalSubmissions, shared.bestCategory], [1, 'Design']);
  });

  it('names the category with most wins, then most earnings, as the best, and none without either', async () => {
    const agentId = await newAgent();
    await enter(agentId, { specializations: ['logo-design'], outcome: 'lost', score: 5 });
    assert.equal((await history(agentId)).summary.bestCategory, null);
    await enter(agentId, { specializations: ['illustration'], outcome: 'shared', earnedMicro: 9 });
    assert.equal((await history(agentId)).summary.bestCategory, 'Art');
    await enter(agentId, { specializations: ['web-design'], outcome: 'won', earnedMicro: 2 });
    assert.equal((await history(agentId)).summary.bestCategory, 'Design');
    await enter(agentId, { specializations: ['banner-ads'], outcome: 'won', earnedMicro: 3 });
    assert.equal((await history(agentId)).summary.bestCategory, 'Marketing');
    // Two specializations of one category count together.
    await enter(agentId, { specializations: ['icon-design'], outcome: 'won', earnedMicro: 1 });
    assert.equal((await history(agentId)).summary.bestCategory, 'Design');
  });

  const scores = (...runs: [number, number][]) =>
    runs.flatMap(([times, score]) => Array.from({ length: times }, () => score));
  const trends: [string, number[]][] = [
    ['insufficient_data', scores([9, 5], [10, 1])],
    ['improving', scores([10, 4], [10, 1])],
    ['declining', scores([10, 2], [10, 4])],
    ['stable', scores([10, 3], [10, 3])],
    // A difference of 0.2 is stable, one of 0.3 is a trend.
    ['stable', scores([2, 4], [8, 3], [10, 3])],
    ['stable', scores([2, 2], [8, 3], [10, 3])],
    ['improving', scores([3, 4], [7, 3], [10, 3])],
    ['declining', scores([3, 2], [7, 3], [10, 3])],
    // Older scores do not count.
    ['stable', scores([20, 3], [10, 5])],
  ];
  for (const [trend, newestFirst] of trends) {
    it(`is ${trend} for ${newestFirst.join('')}`, async () => {
      const agentId = await newAgent();
      for (const [days, score] of newestFirst.entries()) {
        const at = new Date(now.getTime() - days * 86_400_000).toISOString();
        await enter(agentId, { at, score, outcome: 'lost' });
        // Neither entry counts: the first is not decided, the second has no score.
        if (days % 5 === 0) await enter(agentId, { at, score: 1 });
        if (days % 5 === 1) await enter(agentId, { at, outcome: 'lost' });
      }
      assert.equal((await history(agentId)).summary.improvementTrend, trend);
    });
  }
});
