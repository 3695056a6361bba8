import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { overviewOperations } from '../../contract/operator/overview.ts';
import type { Db } from '../../server/db/database.ts';
import { call } from '../support/clients/client.ts';
import { choose, close, enter } from '../support/clients/contestants.ts';
import { codeIs } from '../support/clients/entries.ts';
import { brief, expectStatus, openProject, registerAgent, registerPoster } from '../support/clients/journey.ts';
import { until } from '../support/processes/processes.ts';
import { earn } from '../support/rows/tier-awards.ts';
import { SHARED_SETTINGS } from '../support/worlds/shared-service.ts';
import { startWorld } from '../support/worlds/service-world.ts';

// Figures of the whole market, which needs no other tests in it: the operator's overview, the first page, and the
// leaderboard. A low cap holds a payout.

/** The statements of requests without a key. */
let anonymous = 0;
const counted = (pool: Db) =>
  new Proxy(pool, {
    apply(tag, self, statement) {
      anonymous += 1;
      return Reflect.apply<unknown, unknown[], unknown>(tag as never, self, statement);
    },
  });

const world = await startWorld({
  env: { ...SHARED_SETTINGS.env, PAYOUT_CAP_USDC: '50' },
  wrap: ({ reads }) => ({
    anonymous: { reads: counted(reads) },
  }),
});
const { url, operatorKey: key, service, clock } = world;
const { db } = service.deps;
const USDC = 1_000_000;
const DAY_MS = 86_400_000;

type Overview = ReturnType<(typeof overviewOperations.getOverview)['output']['parse']>;

const get = async (path: string) => expectStatus(await call(url, 'GET', path, { key }), 200).body.data;
const overview = async (days = 7) => (await get(`/operator/overview?days=${days}`)) as Overview;

describe('the overview of the operator', () => {
  it('shows a service without any activity', async () => {
    const seen = await overview();
    assert.deepEqual([seen.volume.in_micro, seen.volume.out_micro, seen.volume.days.length], [0, 0, 7]);
    assert.equal(seen.volume.days.at(-1)?.date, clock.now().toISOString().slice(0, 10));
    assert.deepEqual(new Set(Object.values(seen.held)), new Set([0]));
    assert.deepEqual(seen.payments, { unknown: 0, oldest_unknown_at: null });
    assert.deepEqual([seen.payouts, seen.results_on_hold, seen.unclaimed_strays], [[], 0, 0]);
    assert.deepEqual([seen.business.published, seen.business.registrations.length], [0, 7]);
    assert.deepEqual(seen.projects, { draft: 0, open: 0, judging: 0, completed: 0, cancelled: 0 });
    assert.equal((await overview(30)).volume.days.length, 30);
    codeIs(await call(url, 'GET', '/operator/overview?days=8', { key }), 400, 'INVALID_PARAMETER');
    codeIs(await call(url, 'GET', '/operator/overview'), 401, 'UNAUTHORIZED');
  });

  it('says why no money moves while the database is older than the chain', async () => {
    assert.equal((await overview()).recovery_needed, null);
    const reason = 'the database is older than the chain';
    await db`insert into recovery_state (needed_since, reason) values (now(), ${reason})`;
    assert.equal((await overview()).recovery_needed, reason);
    await db`delete from recovery_state`;
  });

  it('follows the money of a project from its deposit to the payout that a cap held', async () => {
    const project = await openProject(world, { prizeUsdc: 60 });
    const winner = await enter(world, project);
    const before = await overview();
    const { escrow_micro, fees_micro, treasury_micro, revenue_micro } = before.held;
    assert.deepEqual(
      [escrow_micro, fees_micro, treasury_micro, revenue_micro],
      [60 * USDC, 0.25 * USDC, 60.25 * USDC, 0],
    );
    const { prizes_micro, entry_fees_micro, in_micro, out_micro, payments } = before.volume.days.at(-1)!;
    assert.deepEqual(
      [prizes_micro, entry_fees_micro, in_micro, out_micro, payments],
      [60 * USDC, 0.25 * USDC, 60.25 * USDC, 0, 2],
    );
    assert.deepEqual([before.projects.open, before.agents.active], [1, 1]);
    assert.deepEqual([before.business.published, before.business.entries], [1, 1]);
    await get('/operator/ledger');
    const check = (await overview()).ledger_check!;
    assert.deepEqual([check.chain_matches, check.chain_micro, check.problems], [true, 60.25 * USDC, []]);
    expectStatus(await close(world, project), 200);
    assert.equal((await overview()).projects.judging, 1);
    expectStatus(await choose(world, project, winner), 200);
    const held = await until('a held payout', async () =>
      (await overview()).payouts.find(({ state }) => state === 'held'),
    );
    assert.deepEqual(held, { state: 'held', count: 1, amount_micro: 57 * USDC });
    const [payout] = (await get(`/operator/payouts?project_id=${project.id}`)).payouts as { id: string }[];
    const release = { key, body: { reason: 'The winner is known to us' } };
    expectStatus(await call(url, 'POST', `/operator/payouts/${payout?.id}/retry`, release), 200);
    const seen = await until('its end', async () => {
      const now = await overview();
      return now.projects.completed === 1 && now.held.escrow_micro === 0 && now;
    });
    assert.deepEqual(
      [seen.held.escrow_micro, seen.held.fees_micro, seen.held.revenue_micro, seen.volume.out_micro],
      [0, 0, 3.25 * USDC, 57 * USDC],
    );
    assert.deepEqual(seen.payouts, []);
    // The first page keeps its figures for 10 s.
    clock.offsetMs += 11_000;
    const { data } = expectStatus(await call(url, 'GET', '/market'), 200).body;
    assert.deepEqual([data.paid_out_micro, data.escrow_micro, data.open_projects], [57 * USDC, 0, 0]);
    const [{ project: shown, paid_micro, tx_hash, entry }] = data.winners;
    assert.deepEqual([shown.id, paid_micro, entry.submission_id], [project.id, 57 * USDC, winner.submissionId]);
    assert.match(tx_hash, /^0x[0-9a-f]{64}$/);
    assert.equal((await fetch(entry.thumbnail_url)).status, 200);
  });

  it('counts agents by status, and drafts and ended projects', async () => {
    const { id } = await registerAgent(url);
    const poster = await registerPoster(url);
    const before = await overview();
    const body = { status: 'suspended', reason: 'Copies of others' };
    expectStatus(await call(url, 'PUT', `/operator/agents/${id}/status`, { key, body }), 200);
    const draft = { key: poster.key, body: brief({ deadline: new Date(clock.now().getTime() + DAY_MS) }) };
    for (const cancels of [true, false]) {
      const { project } = expectStatus(await call(url, 'POST', '/posters/me/projects', draft), 201).body.data;
      const path = `/posters/me/projects/${project.id}/cancel`;
      if (cancels) expectStatus(await call(url, 'POST', path, { key: poster.key, body: {} }), 200);
    }
    const { agents, projects } = await overview();
    assert.deepEqual([agents.active, agents.suspended], [before.agents.active - 1, before.agents.suspended + 1]);
    assert.deepEqual([projects.draft, projects.cancelled], [1, 1]);
  });
});

type Leader = { rank: number; agent: { id: string; avatarUrl: string }; totalEarnings: number };
type Leaders = {
  category: string | null;
  agents: Leader[];
  pagination: { hasMore: boolean; nextCursor: string | null };
};

const leaderboard = (query: Record<string, string> = {}) =>
  call(url, 'GET', `/leaderboard?${new URLSearchParams(query).toString()}`);
const leaders = async (query: Record<string, string> = {}) =>
  expectStatus(await leaderboard(query), 200).body.data as Leaders;
const shortOf = ({ agents }: Leaders) =>
  agents.map(({ agent, rank, totalEarnings }) => [agent.id, rank, totalEarnings]);

async function earner(usdc: number, category: string): Promise<string> {
  const { id } = await registerAgent(url);
  await earn(db, id, usdc * USDC, category);
  return id;
}

async function allPages(limit: number, query: Record<string, string> = {}): Promise<Leader[]> {
  const found: Leader[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await leaders({ ...query, limit: String(limit), ...(cursor ? { cursor } : {}) });
    assert.equal(page.pagination.hasMore, page.pagination.nextCursor !== null);
    found.push(...page.agents);
    cursor = page.pagination.nextCursor;
  }
  return found;
}

describe('DATABASE_READ_URL', () => {
  it('answers requests without a key, and no others', async () => {
    const { id, key: agentKey } = await registerAgent(url);
    anonymous = 0;
    expectStatus(await call(url, 'GET', '/agents/me', { key: agentKey }), 200);
    await get(`/operator/agents/${id}`);
    assert.equal(anonymous, 0);
    for (const path of ['/leaderboard', `/leaderboard/${id}`, '/market']) {
      clock.offsetMs += 11_000;
      anonymous = 0;
      expectStatus(await call(url, 'GET', path), 200);
      assert.ok(anonymous > 0, path);
    }
  });
});

describe('GET /leaderboard', () => {
  it('lists agents with earnings, the highest first; ties share a rank, sorted by registration', async () => {
    // The winner of the first test has 57 USDC.
    const [winner] = (await leaders()).agents;
    const amounts = [9, 9, 8, 7, 7, 7, 1];
    const ids: string[] = [];
    for (const usdc of amounts) ids.push(await earner(usdc, 'Art'));
    const board = await leaders();
    const expected = amounts.map((usdc, n) => [ids[n], 2 + amounts.filter((other) => other > usdc).length, usdc]);
    assert.deepEqual(shortOf(board), [[winner?.agent.id, 1, 57], ...expected]);
    assert.deepEqual(board.pagination, { limit: 20, hasMore: false, nextCursor: null });
    assert.equal((await fetch(board.agents[1]!.agent.avatarUrl)).status, 200);
    for (const limit of [1, 2, 3, 7, 8]) assert.deepEqual(await allPages(limit), board.agents, `limit ${limit}`);
    for (const { rank, agent } of board.agents)
      assert.equal((await call(url, 'GET', `/leaderboard/${agent.id}`)).body.data.rankings.overall, rank);
    const last = await registerAgent(url);
    const { rankings } = (await call(url, 'GET', '/agents/me', { key: last.key })).body.data.agent;
    assert.deepEqual(rankings, { overall: 9, category: {}, percentile: 0 });
  });

  it('filters by category, in any letter case, with the earnings of that category', async () => {
    const [first, second] = [await earner(3, 'Design'), await earner(2, 'Design')];
    await earn(db, second, 5 * USDC, 'Art');
    const board = await leaders({ category: ' design ' });
    assert.equal(board.category, 'Design');
    assert.deepEqual(shortOf(board), [
      [first, 1, 3],
      [second, 2, 2],
    ]);
    assert.deepEqual(await allPages(1, { category: 'Design' }), board.agents);
  });

  it('pages by cursor while earnings change: each lower row appears once, with its rank at that moment', async () => {
    const ids: string[] = [];
    for (const usdc of [9, 8, 8, 8, 7]) ids.push(await earner(usdc, 'Marketing'));
    const page = (cursor?: string | null) =>
      leaders({ category: 'Marketing', limit: '2', ...(cursor ? { cursor } : {}) });
    const rows = ({ agents }: Leaders) => agents.map(({ rank, agent }) => [rank, agent.id]);
    const first = await page();
    assert.deepEqual(rows(first), [
      [1, ids[0]],
      [2, ids[1]],
    ]);
    // One agent comes above all, one with as much as the last row read. One moves from the rows read to the top.
    await earner(20, 'Marketing');
    const equal = await earner(8, 'Marketing');
    await earn(db, ids[1]!, 2 * USDC, 'Marketing');
    const second = await page(first.pagination.nextCursor);
    assert.deepEqual(rows(second), [
      [4, ids[2]],
      [4, ids[3]],
    ]);
    const third = await page(second.pagination.nextCursor);
    assert.deepEqual(rows(third), [
      [4, equal],
      [7, ids[4]],
    ]);
    assert.equal(third.pagination.hasMore, false);
  });

  it('refuses invalid parameters', async () => {
    const wrong = {
      limit: ['0', '51', '-1', '1.5', 'x', ''],
      category: ['', ' ', 'x'.repeat(65), 'Nope', 'illustration', "' or true --"],
      cursor: ['', 'x', 'A'.repeat(43), 'x'.repeat(101)],
    };
    for (const [name, values] of Object.entries(wrong))
      for (const value of values)
        codeIs(await leaderboard({ [name]: value }), 400, 'INVALID_PARAMETER', new RegExp(name));
    const { nextCursor } = (await leaders({ limit: '1' })).pagination;
    const other = await leaderboard({ category: 'Art', cursor: nextCursor ?? '' });
    codeIs(other, 400, 'INVALID_PARAMETER', /other filters/);
  });
});
