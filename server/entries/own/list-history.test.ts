import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { type History, historyWorld, idsOf, now } from '../../../test/support/worlds/history-world.ts';
import { listAgents } from '../../agents/profiles/list-agents.ts';
import { standingWorld } from '../../../test/support/worlds/standing-world.ts';

const { db } = await testDatabase();
const { newAgent, enter, history } = await historyWorld(db);
const setUp = (name?: string) => standingWorld(db, name);

describe('listHistory', () => {
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
      resultOnHold: null,
    };
    const one = async () => (await history(agentId)).submissions;
    assert.deepEqual(await one(), [{ ...expected, payoutStatus: null, payoutTxHash: null }]);
    const [payoutId, hash] = [randomUUIDv7(), `0x${'ab'.repeat(32)}`];
    await db`
      insert into payouts (id, reference, kind, project_id, submission_id, agent_id, amount_micro, debit_account, state, due_at, created_at)
      values (${payoutId}, ${`project:${projectId}:prize`}, 'prize', ${projectId}, ${id}, ${agentId}, 4750000, 'x', 'waiting', ${now}, ${now})`;
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

describe('the pages of a history', () => {
  it('are newest first, by offset and by cursor, each entry once, ties by id', async () => {
    const agentId = await newAgent();
    const times = Array.from({ length: 23 }, (_, index) => `2026-02-0${1 + (index % 3)}T00:00:00Z`);
    await Promise.all(times.map((at) => enter(agentId, { at })));
    const whole = await history(agentId, { limit: '50' });
    assert.deepEqual(
      [whole.pagination.total, whole.pagination.hasMore, whole.pagination.nextCursor],
      [23, false, null],
    );
    const sorted = whole.submissions.toSorted((a, b) =>
      `${b.submittedAt}${b.id}` < `${a.submittedAt}${a.id}` ? -1 : 1,
    );
    assert.deepEqual(
      idsOf(whole),
      sorted.map(({ id }) => id),
    );
    const byOffset = [];
    for (let offset = 0; offset < 25; offset += 5) {
      const page = await history(agentId, { limit: '5', offset: String(offset) });
      assert.deepEqual([page.pagination.offset, page.pagination.hasMore], [offset, offset < 20]);
      byOffset.push(...idsOf(page));
    }
    assert.deepEqual(byOffset, idsOf(whole));
    const byCursor = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: History = await history(agentId, {
        limit: '5',
        ...(cursor ? { cursor } : {}),
      });
      assert.equal(page.pagination.total, 23);
      byCursor.push(...idsOf(page));
      cursor = page.pagination.nextCursor;
      // An entry that is confirmed meanwhile is newer and does not shift the pages.
      if (byCursor.length === 5) await enter(agentId, { at: '2026-02-09T00:00:00Z', status: 'pending' });
    }
    assert.deepEqual(byCursor, idsOf(whole));
    assert.deepEqual(idsOf(await history(agentId, { offset: '23' })), []);
  });
});

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
      [1, 3, ['Design'], 'Design'],
    );
    const shared = (await history(agentId, { category: 'Design', status: 'shared' })).summary;
    assert.deepEqual([shared.totalSubmissions, shared.bestCategory], [1, 'Design']);
  });

  const scores = (...runs: [number, number][]) =>
    runs.flatMap(([times, score]) => Array.from({ length: times }, () => score));
  const trends: [string, number[]][] = [
    ['insufficient_data', scores([9, 5], [10, 1])],
    ['declining', scores([10, 2], [10, 4])],
    // A difference of 0.2 is stable, one of 0.3 is a trend.
    ['stable', scores([2, 4], [8, 3], [10, 3])],
    ['improving', scores([3, 4], [7, 3], [10, 3])],
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

describe("the operator's list", () => {
  const query = { limit: 50 };

  it('finds agents by the prefix of a name in any letter case, newest first, page by page', async () => {
    const names = ['Zoë B', 'zoë A', 'ZOË C', 'Zo%ra', 'Zo_ra', 'Zora'];
    const { operator } = await setUp(names[0]);
    for (const name of names.slice(1)) await setUp(name);
    const search = async (text: string) =>
      (await listAgents(operator, { query: { ...query, search: text } })).agents.map(({ name }) => name);
    assert.deepEqual(await search('zoë'), ['ZOË C', 'zoë A', 'Zoë B']);
    // Wildcards of LIKE are matched literally.
    assert.deepEqual(await search('ZO%'), ['Zo%ra']);
    assert.deepEqual(await search('zo_'), ['Zo_ra']);
    assert.deepEqual(await search('oë'), []);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listAgents>> = await listAgents(operator, {
        query: { limit: 2, search: 'zo', ...(cursor === null ? {} : { cursor }) },
      });
      seen.push(...page.agents.map(({ name }) => name));
      cursor = page.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(seen, ['Zora', 'Zo_ra', 'Zo%ra', 'ZOË C', 'zoë A', 'Zoë B']);
  });
});
