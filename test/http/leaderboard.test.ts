import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { recordConfirmed, recordEarned } from '../../server/agents/rankings/public.ts';
import { notSeen } from '../support/clients/check-answer.ts';
import { call } from '../support/clients/client.ts';
import { codeIs } from '../support/clients/entries.ts';
import { expectStatus, registerAgent } from '../support/clients/journey.ts';
import { startWorld } from '../support/worlds/service-world.ts';
import { EVERY_AWARD } from '../support/rows/tier-awards.ts';

// This machine's own address acts as the proxy. It is exempt from limits, other addresses are not.
const env = {
  LIMIT_PUBLIC_READS_PER_MINUTE: '3',
  LIMIT_REGISTRATIONS_PER_HOUR: '1000',
  TRUSTED_PROXIES: '127.0.0.0/8',
};
const world = await startWorld({ env });
const { url, service, errors } = world;
const { db } = service.deps;

type Leader = { rank: number; agent: { id: string; name: string; avatarUrl: string }; totalEarnings: number };

const leaderboard = (query: Record<string, string> = {}) =>
  call(url, 'GET', `/leaderboard?${new URLSearchParams(query).toString()}`);
const publicAgent = (id: string) => call(url, 'GET', `/agents/${id}/public`);
const leaders = async (query: Record<string, string> = {}) =>
  expectStatus(await leaderboard(query), 200).body.data as {
    category: string | null;
    agents: Leader[];
    pagination: { limit: number; hasMore: boolean; nextCursor: string | null };
  };

async function earn(agentId: string, amountMicro: number, category: string): Promise<void> {
  await db.begin(async (tx) => {
    await tx`update agents set pending_micro = pending_micro + ${amountMicro} where id = ${agentId}`;
    const earned = { agentId, projectId: randomUUIDv7(), amountMicro, categories: [category], at: new Date() };
    await recordEarned({ newId: () => randomUUIDv7() }, tx, earned, EVERY_AWARD);
  });
}

// Earnings in microdollars, with ties at the top, in the middle, and across pages.
const earnings = [9, 9, 9, 8, 7, 7, 7, 7, 7, 7, 7, 3, 2, 2, 1, 0].map((usdc) => usdc * 1_000_000);
const agentIds: string[] = [];
for (const [index, amount] of earnings.entries()) {
  const { id } = await registerAgent(url, { agent_name: `Agent ${index}` });
  agentIds.push(id);
  if (amount === 0) continue;
  // Every other agent has earnings in two categories.
  if (index % 2 === 0) await earn(id, amount, 'Symbols & Corporate');
  else {
    await earn(id, amount - 1, 'Art');
    await earn(id, 1, 'Symbols & Corporate');
  }
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

describe('GET /leaderboard', () => {
  it('lists agents with earnings, the highest first; ties share a rank, sorted by registration', async () => {
    const { agents, category, pagination } = await leaders();
    assert.deepEqual([category, pagination], [null, { limit: 20, hasMore: false, nextCursor: null }]);
    assert.deepEqual(
      agents.map(({ agent, rank, totalEarnings }) => [agent.id, rank, totalEarnings]),
      earnings
        .flatMap((amount, index) => (amount > 0 ? [{ amount, index }] : []))
        .map(({ amount, index }) => [
          agentIds[index],
          1 + earnings.filter((other) => other > amount).length,
          amount / 1e6,
        ]),
    );
    const [first] = agents;
    assert.equal(first!.agent.avatarUrl, `${url}/api/v1/avatars/${agentIds[0]}`);
    assert.equal((await fetch(first!.agent.avatarUrl)).status, 200);
  });

  it('pages by cursor at any limit to the same rows and ranks', async () => {
    const whole = await allPages(50);
    assert.equal(whole.length, 15);
    for (const limit of [1, 2, 3, 4, 5, 7, 14, 15]) assert.deepEqual(await allPages(limit), whole, `limit ${limit}`);
  });

  it('filters by category, in any letter case, with the earnings of that category', async () => {
    const art = await leaders({ category: ' art ' });
    assert.equal(art.category, 'Art');
    const inArt = earnings.flatMap((amount, index) => (index % 2 === 1 && amount > 0 ? [amount - 1] : []));
    assert.deepEqual(
      art.agents.map(({ rank, totalEarnings }) => [rank, totalEarnings]),
      inArt.map((amount) => [1 + inArt.filter((other) => other > amount).length, amount / 1e6]),
    );
    for (const limit of [1, 2, 3]) assert.deepEqual(await allPages(limit, { category: 'Art' }), art.agents);
    assert.deepEqual((await leaders({ category: 'Marketing' })).agents, []);
    for (const unknown of ['Nope', 'illustration', "' or true --"])
      codeIs(await leaderboard({ category: unknown }), 400, 'INVALID_PARAMETER', /category: one of Art, Design/);
  });

  it('agrees with the profile and the public page', async () => {
    for (const { rank, agent } of (await leaders()).agents)
      assert.equal((await publicAgent(agent.id)).body.data.rankings.overall, rank);
    const { rankings } = (await publicAgent(agentIds.at(-1)!)).body.data;
    assert.deepEqual(rankings, { overall: 16, category: {}, percentile: 0 });
    assert.equal((await publicAgent(agentIds[0]!)).body.data.rankings.percentile, 86.66);
  });

  it('refuses invalid parameters', async () => {
    const wrong = [
      ...['0', '51', '-1', '1.5', 'x', ''].map((limit) => ({ limit })),
      ...['', ' ', 'x'.repeat(65)].map((category) => ({ category })),
      ...['', 'x', 'A'.repeat(43), 'x'.repeat(101), '%00'].map((cursor) => ({ cursor })),
    ];
    for (const query of wrong as unknown as Record<string, string>[])
      codeIs(await leaderboard(query), 400, 'INVALID_PARAMETER', new RegExp(Object.keys(query)[0]!));
    const { nextCursor } = (await leaders({ limit: '1' })).pagination;
    codeIs(await leaderboard({ category: 'Art', cursor: nextCursor! }), 400, 'INVALID_PARAMETER', /another category/);
  });
});

describe('GET /agents/{id}/public', () => {
  it('shows only public fields', async () => {
    const { id, key } = await registerAgent(url, {
      agent_name: 'Ada',
      description: 'A description that is only for itself.',
      model_info: { secret: 'only for itself' },
      wallet_address: `0x${'ab'.repeat(20)}`,
    });
    await db.begin((tx) => recordConfirmed(tx, { agentId: id, categories: ['Art'] }));
    const answer = await publicAgent(id);
    const { days, ...rest } = expectStatus(answer, 200).body.data;
    assert.deepEqual(rest, {
      agent: {
        id,
        name: 'Ada',
        avatarUrl: `${url}/api/v1/avatars/${id}`,
        tier: 'starter',
        specializations: ['logo-design'],
      },
      analytics: {
        totalSubmissions: 1,
        totalWins: 0,
        winRate: 0,
        totalEarnings: 0,
        averageScore: 0,
        totalProjects: 0,
        successStreak: 0,
        longestStreak: 0,
      },
      rankings: { overall: 16, category: { Art: 8 }, percentile: 0 },
      categories: [{ category: 'Art', submissions: 1, wins: 0, winRate: 0, earnings: 0, averageScore: 0 }],
      recentWins: [],
    });
    assert.equal(days.length, 90);
    const nothing = { submissions: 0, wins: 0, earnings: 0, averageScore: null };
    const today = world.clock.now().toISOString().slice(0, 10);
    assert.deepEqual(days.at(-1), { date: today, ...nothing });
    assert.doesNotMatch(JSON.stringify(answer.body), /only for itself|abab|settings|wallet|status|key/i);
    // It also hides the status that the operator has set.
    await db`update agents set status = 'suspended' where id = ${id}`;
    assert.deepEqual((await publicAgent(id)).body.data, answer.body.data);
    assert.equal((await call(url, 'GET', '/agents/me', { key })).status, 200);
  });

  it('answers AGENT_NOT_FOUND for an unknown id and INVALID_PARAMETER for a malformed one', async () => {
    codeIs(await publicAgent('01a1fd68-1a1d-7b89-b14d-8a21a36746c2'), 404, 'AGENT_NOT_FOUND');
    for (const id of ['me', 'x', "'%20or%201=1"]) codeIs(await publicAgent(id), 400, 'INVALID_PARAMETER', /agent_id/);
  });

  it('shares one limit of the address with the leaderboard', async () => {
    const from = (address: string, path: string) => call(url, 'GET', path, { headers: { 'x-forwarded-for': address } });
    const path = `/agents/${agentIds[0]}/public`;
    for (const [left, asked] of [path, '/leaderboard', path].entries()) {
      const { status, headers } = await from('203.0.113.9', asked);
      assert.deepEqual([status, headers.get('x-ratelimit-remaining')], [200, String(2 - left)]);
    }
    for (const asked of [path, '/leaderboard'])
      codeIs(await from('203.0.113.9', asked), 429, 'RATE_LIMIT_EXCEEDED', /this address/);
    assert.equal((await from('203.0.113.10', path)).status, 200);
  });

  it('keeps the path of the project details', async () => {
    const { key } = await registerAgent(url);
    const id = '01a1fd68-1a1d-7b89-b14d-8a21a36746c2';
    codeIs(await call(url, 'GET', `/agents/projects/${id}`, { key }), 404, 'PROJECT_NOT_FOUND');
  });
});

it('pages by cursor while earnings change: each lower row appears once, with its rank at that moment', async () => {
  const ids: string[] = [];
  const add = async (usdc: number) => {
    const { id } = await registerAgent(url);
    await earn(id, usdc * 1_000_000, 'Marketing');
    return id;
  };
  for (const usdc of [9, 8, 8, 8, 7, 6]) ids.push(await add(usdc));
  const page = (cursor?: string | null) =>
    leaders({ category: 'Marketing', limit: '2', ...(cursor ? { cursor } : {}) });
  const rows = ({ agents }: { agents: Leader[] }) => agents.map(({ rank, agent }) => [rank, agent.id]);
  const first = await page();
  assert.deepEqual(rows(first), [
    [1, ids[0]],
    [2, ids[1]],
  ]);
  // Add one agent above all, one equal to the last row read, and one below. One agent moves from the rows read to the
  // top.
  await add(20);
  const equal = await add(8);
  const below = await add(6.5);
  await earn(ids[1]!, 2_000_000, 'Marketing');
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
  const last = await page(third.pagination.nextCursor);
  assert.deepEqual(rows(last), [
    [8, below],
    [9, ids[5]],
  ]);
  assert.equal(last.pagination.hasMore, false);
});

it('the tests received every answer that these operations can give', () => {
  assert.deepEqual(notSeen('Leaderboard'), []);
  assert.deepEqual(errors, []);
});
