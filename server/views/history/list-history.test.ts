import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { historyWorld, idsOf, now } from '../../../test/support/worlds/history-world.ts';

const { db } = await testDatabase();
const { newAgent, enter, history } = await historyWorld(db);

describe('listHistory', () => {
  it('is empty for a new agent', async () => {
    assert.deepEqual(await history(await newAgent()), {
      submissions: [],
      summary: {
        totalSubmissions: 0,
        totalWins: 0,
        totalEarnings: 0,
        averageScore: 0,
        categoriesEntered: [],
        bestCategory: null,
        improvementTrend: 'insufficient_data',
      },
      pagination: { total: 0, limit: 20, offset: 0, hasMore: false, nextCursor: null },
    });
  });

  it('shows every field of a win, including its payout', async () => {
    const agentId = await newAgent();
    const won = {
      outcome: 'won',
      score: 5,
      feedback: 'Great',
      rank: 1,
      earnedMicro: 4_750_000,
      title: 'Oven',
    } as const;
    const { id, projectId } = await enter(agentId, { ...won, specializations: ['poster-design', 'logo-design'] });
    const expected = {
      id,
      projectId,
      projectTitle: 'Oven',
      title: 'Entry',
      thumbnailUrl: null,
      category: 'Design',
      categories: ['Design', 'Symbols & Corporate'],
      submittedAt: '2026-02-01T00:00:00.000Z',
      status: 'won',
      score: 5,
      earnings: 4.75,
      entry_fee_paid: 0,
      feedback: 'Great',
      rank: 1,
      totalSubmissions: 7,
      cancelReason: null,
      cancelledAt: null,
      cancelledBy: null,
      judgingNote: null,
      judgingReason: null,
      objection: null,
      resultOnHold: null,
    };
    const one = async () => (await history(agentId)).submissions;
    assert.deepEqual(await one(), [{ ...expected, payoutStatus: null, payoutTxHash: null }]);
    const [payoutId, hash] = [randomUUIDv7(), `0x${'ab'.repeat(32)}`];
    await db`
      insert into payouts (id, reference, kind, project_id, submission_id, agent_id, amount_micro, debit_account, state, due_at, created_at, updated_at)
      values (${payoutId}, ${`project:${projectId}:prize`}, 'prize', ${projectId}, ${id}, ${agentId}, 4750000, 'x', 'waiting', ${now}, ${now}, ${now})`;
    assert.deepEqual(await one(), [{ ...expected, payoutStatus: 'waiting_for_wallet', payoutTxHash: null }]);
    await db`
      update payouts set state = 'settled', recipient = ${`0x${'aa'.repeat(20)}`}, sent_at = ${now}, settled_at = ${now}, tx_hash = ${hash}
      where id = ${payoutId}`;
    assert.deepEqual(await one(), [{ ...expected, payoutStatus: 'settled', payoutTxHash: hash }]);
  });

  it('shows score, feedback, and rank only once the project is decided', async () => {
    const agentId = await newAgent();
    await enter(agentId, { score: 4, feedback: 'Nearly', rank: 2 });
    const { submissions, summary } = await history(agentId);
    const [{ status, score, feedback, rank } = assert.fail()] = submissions;
    assert.deepEqual({ status, score, feedback, rank }, { status: 'pending', score: null, feedback: null, rank: null });
    assert.equal(summary.averageScore, 0);
  });

  it('shows the outcome and filters by it', async () => {
    const agentId = await newAgent();
    const cases = [
      [{ outcome: 'won' }, 'won'],
      [{ outcome: 'lost' }, 'lost'],
      [{ outcome: 'shared', earnedMicro: 1_000_000 }, 'shared'],
      [{ disqualified: true }, 'lost'],
      [{ disqualified: true, outcome: 'lost' }, 'lost'],
      [{ outcome: 'cancelled' }, 'cancelled'],
      [{ disqualified: true, outcome: 'cancelled' }, 'cancelled'],
      [{}, 'pending'],
    ] as const;
    const entered = [];
    for (const [entry, status] of cases) entered.push({ ...(await enter(agentId, entry)), status });
    await enter(agentId, { status: 'pending' });
    const all = await history(agentId);
    assert.equal(all.pagination.total, cases.length);
    for (const { id, status } of entered) assert.equal(all.submissions.find((each) => each.id === id)?.status, status);
    for (const status of ['won', 'lost', 'shared', 'pending', 'cancelled'] as const) {
      const found = await history(agentId, { status });
      const expected: string[] = entered.filter((each) => each.status === status).map(({ id }) => id);
      assert.deepEqual(idsOf(found).toSorted(), expected.toSorted());
      assert.equal(found.summary.totalSubmissions, expected.length);
    }
    const shared = await history(agentId, { status: 'shared' });
    assert.deepEqual([shared.summary.totalWins, shared.summary.totalEarnings], [0, 1]);
  });

  it('shows no entries of other agents', async () => {
    const [agentId, other] = [await newAgent(), await newAgent()];
    await enter(other, { outcome: 'won', earnedMicro: 1 });
    assert.equal((await history(agentId)).pagination.total, 0);
  });

  it('filters by whole UTC days, first and last included', async () => {
    const agentId = await newAgent();
    const times = [
      '2026-01-31T23:59:59.999Z',
      '2026-02-01T00:00:00Z',
      '2026-02-01T23:59:59.999Z',
      '2026-02-02T00:00:00Z',
    ];
    const [before, first, last, after] = await Promise.all(times.map(async (at) => (await enter(agentId, { at })).id));
    const day = '2026-02-01';
    assert.deepEqual(idsOf(await history(agentId, { dateFrom: day, dateTo: day })), [last, first]);
    assert.deepEqual(idsOf(await history(agentId, { dateFrom: day })), [after, last, first]);
    assert.deepEqual(idsOf(await history(agentId, { dateTo: day })), [last, first, before]);
    assert.equal((await history(agentId, { dateFrom: '0001-01-01', dateTo: '9999-12-31' })).pagination.total, 4);
    assert.equal((await history(agentId, { dateFrom: '2026-02-03' })).summary.totalSubmissions, 0);
  });

  it('filters by every category of the project in any letter case, whatever the order of its specializations', async () => {
    const agentId = await newAgent();
    const both = await enter(agentId, {
      specializations: ['illustration', 'logo-design'],
      earnedMicro: 2,
      outcome: 'won',
    });
    const reversed = await enter(agentId, { specializations: ['logo-design', 'illustration', 'emblem-design'] });
    const symbols = await enter(agentId, { specializations: ['emblem-design'] });
    const found = async (category: string) => new Set(idsOf(await history(agentId, { category })));
    assert.deepEqual(await found('art'), new Set([both.id, reversed.id]));
    assert.deepEqual(await found(' Symbols & Corporate '), new Set([both.id, reversed.id, symbols.id]));
    assert.equal((await history(agentId, { category: 'Design' })).pagination.total, 0);
    // An entry of two categories counts once in the totals.
    const { summary, submissions } = await history(agentId);
    assert.deepEqual(
      [summary.totalSubmissions, summary.totalWins, summary.totalEarnings, summary.categoriesEntered],
      [3, 1, 0.000002, ['Art', 'Symbols & Corporate']],
    );
    const categoriesOf = (id: string) => submissions.find((each) => each.id === id)?.categories;
    assert.deepEqual(
      [both, reversed, symbols].map(({ id }) => categoriesOf(id)),
      [['Art', 'Symbols & Corporate'], ['Symbols & Corporate', 'Art'], ['Symbols & Corporate']],
    );
  });

  it('refuses an unknown category and names the known ones', async () => {
    const agentId = await newAgent();
    for (const category of ['Nope', 'illustration', "' or true --", '%'])
      await assert.rejects(history(agentId, { category }), {
        code: 'INVALID_PARAMETER',
        message: 'Invalid parameter: category: one of Art, Design, Marketing, Symbols & Corporate',
      });
  });

  it('shows why, when, and by whom a project was cancelled', async () => {
    const agentId = await newAgent();
    const { projectId } = await enter(agentId, { outcome: 'cancelled' });
    await db`
      update projects set status = 'cancelled', cancel_reason = 'A copy', cancelled_at = ${now}, cancelled_by = 'operator'
      where id = ${projectId}`;
    const [entry = assert.fail()] = (await history(agentId)).submissions;
    assert.deepEqual(
      [entry.status, entry.cancelReason, entry.cancelledAt, entry.cancelledBy],
      ['cancelled', 'A copy', now.toISOString(), 'operator'],
    );
  });
});
