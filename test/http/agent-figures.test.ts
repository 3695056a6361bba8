import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { call } from '../support/clients/client.ts';
import { choose, close, enter, type Contestant, review } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import {
  confirm,
  createIntent,
  drawing,
  expectStatus,
  type OpenProject,
  openProject,
  putPicture,
  registerAgent,
  requestUpload,
} from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { sharedWorld } from '../support/worlds/shared-world.ts';

// The history, the money, and the analytics of one agent, which wins, loses, and enters a canceled project.

const world = await sharedWorld();
const { url, operatorKey } = world;
const FEE_MICRO = 250_000;

const read = async (key: string, path: string) => expectStatus(await call(url, 'GET', path, { key }), 200).body.data;
const historyOf = (key: string, query = '') => call(url, 'GET', `/agents/me/history${query}`, { key });

/** Enters a further project with the agent of a contestant. */
async function again(
  { key, payer }: Contestant,
  project: OpenProject,
  seed: number,
): Promise<{ submissionId: string }> {
  const picture = await drawing(seed);
  const { id: submissionId } = await createIntent(url, key, project.id);
  const request = { key, projectId: project.id, submissionId, sizeBytes: picture.length, fetch: payer.pay };
  const { uploadUrl } = expectStatus(await requestUpload(url, request), 200).body.data;
  assert.equal(await putPicture(uploadUrl, picture), 200);
  expectStatus(await confirm(url, key, project.id, submissionId), 200);
  return { submissionId };
}

const won = await openProject(world, {
  prizeUsdc: 2,
  fields: { title: 'A lighthouse', specializations: ['illustration'] },
});
const ada = await enter(world, won, { picture: await drawing(1) });
const bob = await enter(world, won, { picture: await drawing(2) });
const pending = expectStatus(await historyOf(ada.key), 200).body.data;
expectStatus(await review(world, won, ada, 5), 200);
expectStatus(await review(world, won, bob, 2), 200);
expectStatus(await close(world, won), 200);
expectStatus(await choose(world, won, ada), 200);
const canceled = await openProject(world);
await again(ada, canceled, 3);
const cancel = { key: operatorKey, body: { reason: 'Against the rules' } };
expectStatus(await call(url, 'POST', `/operator/projects/${canceled.id}/cancel`, cancel), 200);
const open = await openProject(world);
await again(ada, open, 4);

type Sums = Record<'fees_micro' | 'refunds_micro' | 'prizes_micro' | 'net_micro' | 'pending_micro', number>;
type Money = { total: Sums; projects: (Sums & { project_id: string })[]; pagination: { next_cursor: string | null } };
const moneyOf = async (key: string, query = '') => (await read(key, `/agents/me/money${query}`)) as Money;
const sums = (fees: number, refunds: number, prizes: number, owed = 0): Sums => ({
  fees_micro: fees,
  refunds_micro: refunds,
  prizes_micro: prizes,
  net_micro: prizes + refunds - fees,
  pending_micro: owed,
});
const money = await until('all is settled', async () => {
  const now = await moneyOf(ada.key);
  // Every amount is in exactly one place, also while it is on its way.
  const { refunds_micro, prizes_micro, pending_micro } = now.total;
  assert.ok(refunds_micro + prizes_micro + pending_micro <= FEE_MICRO + 1_900_000);
  // The projects are read beside the total.
  const isSettled = now.projects.every((each) => each.pending_micro === 0);
  return prizes_micro > 0 && refunds_micro > 0 && isSettled && now;
});

describe('GET /agents/me/history', () => {
  it('shows a confirmed entry with its picture, and its result after judging', async () => {
    const { submissions, pagination } = pending;
    const [{ thumbnailUrl, id: shown, status, entry_fee_paid }] = submissions;
    const thumbnail = await fetch(thumbnailUrl);
    assert.deepEqual([thumbnail.status, thumbnail.headers.get('content-type')], [200, 'image/webp']);
    assert.deepEqual([shown, status, entry_fee_paid], [ada.submissionId, 'pending', FEE_MICRO]);
    assert.deepEqual(pagination, { total: 1, limit: 20, offset: 0, hasMore: false, nextCursor: null });
    const [winner] = (await read(ada.key, '/agents/me/history?status=won&category=Art')).submissions;
    assert.deepEqual([winner.id, winner.score, winner.earnings], [ada.submissionId, 5, 1.9]);
    const [loser] = (await read(bob.key, '/agents/me/history?status=lost')).submissions;
    assert.deepEqual([loser.id, loser.score, loser.feedback], [bob.submissionId, 2, 'Worth 2']);
  });

  it('refuses invalid days with INVALID_DATE, and reversed days with INVALID_RANGE', async () => {
    for (const day of [
      '',
      'yesterday',
      '2026-02-30',
      '2026-2-1',
      '2026-02-01T00:00:00Z',
      '%2B2026-02-01',
      '0000-01-01',
    ])
      codeIs(await historyOf(ada.key, `?dateFrom=${day}`), 400, 'INVALID_DATE', /dateFrom/);
    codeIs(await historyOf(ada.key, '?dateTo=2026-13-01'), 400, 'INVALID_DATE', /dateTo/);
    codeIs(await historyOf(ada.key, '?dateFrom=2026-02-02&dateTo=2026-02-01'), 400, 'INVALID_RANGE');
    assert.equal((await historyOf(ada.key, '?dateFrom=2026-02-01&dateTo=2026-02-01')).status, 200);
  });

  it('refuses other invalid parameters with INVALID_PARAMETER and their names', async () => {
    const wrong = {
      limit: ['0', '101', '-1', '1.5', 'x', '', '1e3'],
      offset: ['-1', 'x', '1.5'],
      status: ['canceled', 'WON', 'won,lost', ''],
      category: ['', '%20', 'x'.repeat(65), 'Nope', 'logo-design'],
      cursor: ['x', 'A'.repeat(43), 'x'.repeat(301)],
    };
    for (const [name, values] of Object.entries(wrong))
      for (const value of values)
        codeIs(await historyOf(ada.key, `?${name}=${value}`), 400, 'INVALID_PARAMETER', new RegExp(name));
  });
});

describe('GET /agents/me/money', () => {
  it('has fees, refunds, and prizes in total and by project, page by page', async () => {
    assert.deepEqual(money.total, sums(3 * FEE_MICRO, FEE_MICRO, 1_900_000));
    assert.deepEqual(
      money.projects.map(({ project_id, fees_micro, refunds_micro, prizes_micro, pending_micro }) => [
        project_id,
        sums(fees_micro, refunds_micro, prizes_micro, pending_micro),
      ]),
      [
        [open.id, sums(FEE_MICRO, 0, 0)],
        [canceled.id, sums(FEE_MICRO, FEE_MICRO, 0)],
        [won.id, sums(FEE_MICRO, 0, 1_900_000)],
      ],
    );
    const pages: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Money = await moneyOf(ada.key, `?limit=1${cursor && `&cursor=${cursor}`}`);
      assert.deepEqual(page.total, money.total);
      pages.push(...page.projects.map(({ project_id }) => project_id));
      cursor = page.pagination.next_cursor;
    }
    assert.deepEqual(pages, [open.id, canceled.id, won.id]);
    assert.deepEqual((await moneyOf(bob.key)).total, sums(FEE_MICRO, 0, 0));
    for (const query of ['?cursor=x', '?limit=0', '?limit=101'])
      codeIs(await call(url, 'GET', `/agents/me/money${query}`, { key: ada.key }), 400, 'INVALID_PARAMETER');
  });

  it('shows a prize as pending while the agent has no wallet, and as a win without earnings', async () => {
    const project = await openProject(world, { entryFeeUsdc: 0, fields: { specializations: ['illustration'] } });
    const poor = await enter(world, project, { wallet: 'none' });
    assert.deepEqual((await moneyOf(poor.key)).projects, []);
    expectStatus(await close(world, project), 200);
    expectStatus(await choose(world, project, poor), 200);
    assert.deepEqual((await moneyOf(poor.key)).total, sums(0, 0, 0, 950_000));
    const { analytics, recentActivity } = (await read(poor.key, '/agents/me')).agent;
    assert.deepEqual([analytics.totalWins, analytics.winRate, analytics.totalEarnings], [1, 100, 0]);
    assert.deepEqual(recentActivity.last7Days, { submissions: 1, wins: 1, earnings: 0 });
  });
});

describe('the figures of an agent', () => {
  it('refuse another metric or timeframe', async () => {
    const analytics = (query: string) => call(url, 'GET', `/agents/me/analytics?${query}`, { key: ada.key });
    for (const timeframe of ['', '0d', '366d', '030d', '7D', '7', '-7d', '7.5d', '%207d', '1w', 'ALL', '7d,30d'])
      codeIs(await analytics(`timeframe=${timeframe}`), 400, 'INVALID_PARAMETER', /timeframe/);
    for (const metric of ['', 'wins', 'WinRate', 'winRate,earnings', '__proto__'])
      codeIs(await analytics(`metric=${metric}`), 400, 'INVALID_PARAMETER', /metric/);
    for (const timeframe of ['1d', '365d', 'all']) expectStatus(await analytics(`timeframe=${timeframe}`), 200);
  });
});

describe('GET /leaderboard/{id}', () => {
  it('shows the wins of completed projects with pictures, and no private field', async () => {
    const { key, id } = await registerAgent(url, {
      description: 'A description that everybody reads.',
      model_info: { secret: 'only for itself' },
      wallet_address: `0x${'ab'.repeat(20)}`,
    });
    const { data } = expectStatus(await call(url, 'GET', `/leaderboard/${id}`), 200).body;
    assert.doesNotMatch(JSON.stringify(data), /only for itself|abab|settings|wallet|status|key/i);
    assert.equal(data.agent.description, 'A description that everybody reads.');
    assert.equal(data.days.length, 90);
    // It also hides the status that the operator has set.
    const body = { status: 'suspended', reason: 'A test' };
    expectStatus(await call(url, 'PUT', `/operator/agents/${id}/status`, { key: operatorKey, body }), 200);
    assert.doesNotMatch(JSON.stringify((await call(url, 'GET', `/leaderboard/${id}`)).body.data), /suspended/);
    expectStatus(await call(url, 'GET', '/agents/me', { key }), 200);
    const wins = async (agent: string) => (await call(url, 'GET', `/leaderboard/${agent}`)).body.data.recentWins;
    const [win, ...others] = await until('the win', async () => {
      const found = await wins(ada.id);
      return found.length > 0 && found;
    });
    assert.deepEqual(others, []);
    assert.deepEqual(
      [win.submissionId, win.projectId, win.projectTitle, win.category, win.earnings, win.score],
      [ada.submissionId, won.id, 'A lighthouse', 'Art', 1.9, 5],
    );
    for (const shown of [win.imageUrl, win.thumbnailUrl]) assert.equal((await fetch(shown)).status, 200);
    assert.deepEqual(await wins(bob.id), []);
    codeIs(await call(url, 'GET', `/leaderboard/${won.id}`), 404, 'AGENT_NOT_FOUND');
    for (const bad of ['me', 'x', "'%20or%201=1"])
      codeIs(await call(url, 'GET', `/leaderboard/${bad}`), 400, 'INVALID_PARAMETER', /agent_id/);
  });
});
