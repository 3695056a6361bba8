import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { codeIs, entriesOf } from '../support/clients/entries.ts';
import { expectStatus, openProject } from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';

const world = await startWorld({ env: { LIMIT_AGENT_ACCOUNT_PER_MINUTE: '1000' } });
const { url, service, errors } = world;
const { db } = service.deps;
const { enter, upload, confirmOf } = entriesOf(world);

const historyOf = (key: string, query: Record<string, string> = {}) =>
  call(url, 'GET', `/agents/me/history?${new URLSearchParams(query).toString()}`, { key });

const entered = await (async () => {
  const { id } = await openProject(world, { fields: { title: 'A lighthouse', specializations: ['illustration'] } });
  const entry = await enter(id);
  await upload(entry);
  expectStatus(await confirmOf(entry), 200);
  return entry;
})();

describe('GET /agents/me/history', () => {
  it('shows a confirmed entry with every field of the specification, and its result after judging', async () => {
    const { key, projectId, submissionId } = entered;
    const { submissions, summary, pagination } = expectStatus(await historyOf(key), 200).body.data;
    const { submittedAt, thumbnailUrl, ...row } = submissions[0];
    const thumbnail = await fetch(thumbnailUrl);
    assert.deepEqual([thumbnail.status, thumbnail.headers.get('content-type')], [200, 'image/webp']);
    assert.match(submittedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(row, {
      id: submissionId,
      projectId,
      projectTitle: 'A lighthouse',
      title: 'Lighthouse at dusk',
      category: 'Art',
      categories: ['Art'],
      status: 'pending',
      score: null,
      earnings: 0,
      entry_fee_paid: 250_000,
      feedback: null,
      rank: null,
      totalSubmissions: 1,
      payoutStatus: null,
      payoutTxHash: null,
      judgingNote: null,
      judgingReason: null,
      objection: null,
      resultOnHold: null,
      cancelReason: null,
      cancelledAt: null,
      cancelledBy: null,
    });
    assert.deepEqual(summary, {
      totalSubmissions: 1,
      totalWins: 0,
      totalEarnings: 0,
      averageScore: 0,
      categoriesEntered: ['Art'],
      bestCategory: null,
      improvementTrend: 'insufficient_data',
    });
    assert.deepEqual(pagination, { total: 1, limit: 20, offset: 0, hasMore: false, nextCursor: null });
    assert.equal((await historyOf(key, { status: 'pending', category: 'Art' })).body.data.pagination.total, 1);
    assert.equal((await historyOf(key, { status: 'won' })).body.data.pagination.total, 0);
    await db`
      update submissions
      set score = 4, score_source = 'poster', scored_at = now(), feedback = 'Good light', outcome = 'lost', rank = 2, decided_at = now()
      where id = ${submissionId}`;
    const [decided] = (await historyOf(key, { status: 'lost' })).body.data.submissions;
    assert.deepEqual([decided.score, decided.feedback, decided.rank], [4, 'Good light', 2]);
  });

  it('shows no intents and no entries of other agents', async () => {
    const other = await enter(entered.projectId);
    const { submissions, pagination } = (await historyOf(other.key)).body.data;
    assert.deepEqual([submissions, pagination.total], [[], 0]);
  });

  it('refuses invalid days with INVALID_DATE, and reversed days with INVALID_RANGE', async () => {
    for (const dateFrom of [
      '',
      'yesterday',
      '2026-02-30',
      '2026-2-1',
      '2026-02-01T00:00:00Z',
      '02-01-2026',
      '2026-02-01 ',
      '+2026-02-01',
      '0000-01-01',
    ])
      codeIs(await historyOf(entered.key, { dateFrom }), 400, 'INVALID_DATE', /dateFrom/);
    codeIs(await historyOf(entered.key, { dateTo: '2026-13-01' }), 400, 'INVALID_DATE', /dateTo/);
    codeIs(await historyOf(entered.key, { dateFrom: '2026-02-02', dateTo: '2026-02-01' }), 400, 'INVALID_RANGE');
    assert.equal((await historyOf(entered.key, { dateFrom: '2026-02-01', dateTo: '2026-02-01' })).status, 200);
  });

  it('refuses other invalid parameters with INVALID_PARAMETER and their names', async () => {
    const wrong: Record<string, string>[] = [
      ...['0', '101', '-1', '1.5', 'x', '', '1e3'].map((limit) => ({ limit })),
      ...['-1', 'x', '1.5'].map((offset) => ({ offset })),
      ...['canceled', 'WON', 'won,lost', ''].map((status) => ({ status })),
      ...['', ' ', 'x'.repeat(65), 'Nope', 'logo-design'].map((category) => ({ category })),
      ...['x', 'A'.repeat(43), '%00', 'x'.repeat(301)].map((cursor) => ({ cursor })),
    ];
    for (const query of wrong) {
      const [name = ''] = Object.keys(query);
      codeIs(await historyOf(entered.key, query), 400, 'INVALID_PARAMETER', new RegExp(name));
    }
  });

  it('refuses a suspended agent and accepts one under review', async () => {
    for (const [status, expected] of [
      ['suspended', 403],
      ['under_review', 200],
      ['limited', 200],
    ] as const) {
      await db`update agents set status = ${status} where id = ${entered.agentId}`;
      world.clock.offsetMs += 1000;
      assert.equal((await historyOf(entered.key)).status, expected);
    }
  });
});

it('the tests received every answer that this operation can give', () => {
  assert.deepEqual(notSeen('History'), []);
  assert.deepEqual(errors, []);
});
