import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../../test/support/processes/processes.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { standingWorld } from '../../../test/support/worlds/standing-world.ts';
import { endStandings } from './end-standings.ts';
import { earn } from '../../../test/support/rows/tier-awards.ts';
import { agentsWorld } from '../../../test/support/worlds/agents-world.ts';
import { createAgent } from '../accounts/create-agent.ts';
import { findRankings, percentileOf, toRankings } from '../rankings/rankings.ts';
import { agentOperations } from '../../../contract/agents/agents.ts';
import { createAgentAuthenticator } from '../accounts/authenticate.ts';

const { db } = await testDatabase();
const DAY_MS = 86_400_000;
const setUp = (name?: string) => standingWorld(db, name);
const ranked = agentsWorld(db);

async function newAgent(): Promise<string> {
  const body = {
    agent_name: 'Ada',
    description: 'Draws logos by hand and by number.',
    specializations: ['logo-design'],
  };
  return (await createAgent(ranked.anyone, { body })).agentId;
}

const rankOf = async (agentId: string) => toRankings(await findRankings(db, agentId));

async function activeAgents(agents: number) {
  const world = agentsWorld(db);
  const body = {
    agent_name: 'Ada',
    description: 'Draws logos by hand and by number.',
    specializations: ['logo-design'],
  };
  const registered = Array.from({ length: agents }, () =>
    createAgent(world.anyone, { body: agentOperations.createAgent.body.parse(body) }),
  );
  const ids = (await Promise.all(registered)).map((answer) => answer.agentId);
  const keys = (await Promise.all(registered)).map((answer) => answer.apiKey);
  return { ...world, ids, keys, auth: createAgentAuthenticator(world.deps) };
}

async function lastActive(agentId: string): Promise<Date> {
  const [row] = await db<{ at: Date }[]>`select last_active_at as at from agents where id = ${agentId}`;
  return row?.at ?? assert.fail('no such agent');
}

describe('a status with an end', () => {
  it('ends exactly on time, with or without a cached caller and before the timer has run', async () => {
    const { set, statusNow, advance, stored } = await setUp();
    await set('suspended', { untilMs: 60_000 });
    assert.equal(await statusNow(), 'suspended');
    // The caller is cached for 900 ms, so the cached caller must carry the end itself.
    advance(59_500);
    assert.equal(await statusNow(), 'suspended');
    advance(499);
    assert.equal(await statusNow(), 'suspended');
    advance(1);
    assert.equal(await statusNow(), 'active');
    assert.equal((await stored())?.['status'], 'suspended');
    // The clock was set back, so the restriction still applies.
    advance(-2);
    assert.equal(await statusNow(), 'suspended');
    await set('active');
  });

  it('is ended once, by the first process to run the job, with an audit entry', async () => {
    const { set, advance, stored, statusChanges, deps, statusNow } = await setUp();
    await set('limited', { untilMs: 60_000 });
    advance(59_999);
    assert.equal(await endStandings(deps), 0);
    advance(1);
    const ended = await Promise.all(Array.from({ length: 6 }, () => endStandings(deps)));
    assert.equal(
      ended.reduce((sum, count) => sum + count),
      1,
    );
    assert.deepEqual({ ...(await stored()) }, { status: 'active', status_reason: null, status_until: null });
    assert.deepEqual(await statusChanges(), ['operator: active to limited', 'timer: limited to active']);
    // An ended restriction stays ended, even after the clock is set back.
    advance(-3_600_000);
    assert.equal(await endStandings(deps), 0);
    assert.equal(await statusNow(), 'active');
  });
});

describe('three days with failed payments within seven days', () => {
  it('limit an agent for 24 hours, with the system as actor', async () => {
    const { failedToday, advance, statusNow, lines, stored, at } = await setUp();
    for (let day = 1; day <= 2; day += 1) {
      await failedToday();
      // A second report on the same day does not count again.
      await failedToday();
      assert.equal(await statusNow(), 'active');
      advance(DAY_MS);
    }
    await failedToday();
    const line = (await lines())[0];
    assert.deepEqual([line?.actor, line?.from, line?.to], ['system', 'active', 'limited']);
    assert.deepEqual((await stored())?.['status_until'], at(DAY_MS));
    advance(1_000);
    assert.equal(await statusNow(), 'limited');
    advance(DAY_MS - 1_001);
    assert.equal(await statusNow(), 'limited');
    advance(1);
    assert.equal(await statusNow(), 'active');
  });

  const cases: { gaps: number[]; limited: boolean; title: string }[] = [
    { gaps: [1, 5], limited: true, title: 'days 1, 2, and 7' },
    { gaps: [1, 6], limited: false, title: 'days 1, 2, and 8' },
    { gaps: [6, 6], limited: false, title: 'three days, each six days apart' },
  ];
  for (const { gaps, limited, title } of cases) {
    it(`${title}: ${limited ? 'limited' : 'not limited'}`, async () => {
      const { failedToday, advance, stored } = await setUp();
      await failedToday();
      for (const days of gaps) {
        advance(days * DAY_MS);
        await failedToday();
      }
      assert.equal((await stored())?.['status'], limited ? 'limited' : 'active');
    });
  }

  it('are UTC days, from midnight to midnight', async () => {
    const { failedToday, advance, stored } = await setUp();
    // Day 1 at 12:00 and at 23:59:59.999; day 2 at 00:00 and in its last millisecond; then day 3.
    await failedToday();
    advance(DAY_MS / 2 - 1);
    await failedToday();
    advance(1);
    await failedToday();
    advance(DAY_MS - 1);
    await failedToday();
    assert.equal((await stored())?.['status'], 'active');
    advance(1);
    await failedToday();
    assert.equal((await stored())?.['status'], 'limited');
  });

  it('do not weaken a status that the operator has set', async () => {
    for (const status of ['suspended', 'under_review', 'limited'] as const) {
      const { failedToday, advance, stored, set, statusChanges } = await setUp();
      await set(status, { reason: 'Said by the operator', untilMs: 30 * DAY_MS });
      const before = await stored();
      for (let day = 1; day <= 4; day += 1) {
        await failedToday();
        advance(DAY_MS);
      }
      assert.deepEqual(await stored(), before);
      assert.deepEqual(await statusChanges(), [`operator: active to ${status}`]);
    }
  });
});

describe('ranks', () => {
  it('are exact from one microdollar to the largest safe amount; equal earnings share a rank', async () => {
    const amounts = [1, 2, 2, 1_000_000, Number.MAX_SAFE_INTEGER];
    const agents: { id: string; amount: number }[] = [];
    for (const amount of amounts) {
      const id = await newAgent();
      await earn(db, id, amount, 'Art');
      agents.push({ id, amount });
    }
    for (const { id, amount } of agents) {
      const rank = 1 + amounts.filter((other) => other > amount).length;
      const { overall, category } = await rankOf(id);
      assert.deepEqual([overall, category], [rank, { Art: rank }], `${amount}`);
    }
    assert.equal((await rankOf(await newAgent())).overall, 1 + amounts.length);
  });
});

describe('percentiles', () => {
  const cases: [
    title: string,
    expected: number,
    of: { earnedMicro: number; above: number; equal: number },
    agents: number,
  ][] = [
    ['no earnings', 0, { earnedMicro: 0, above: 0, equal: 0 }, 10],
    ['the top agent', 100, { earnedMicro: 5, above: 0, equal: 1 }, 10],
    ['the only agent', 100, { earnedMicro: 5, above: 0, equal: 1 }, 1],
    ['two equal top agents', 88.88, { earnedMicro: 5, above: 0, equal: 2 }, 10],
    ['the second of a million agents, not rounded up to 100', 99.99, { earnedMicro: 5, above: 1, equal: 1 }, 1_000_000],
  ];
  for (const [title, expected, of, agents] of cases)
    it(`${title}: ${expected}`, () => {
      assert.equal(percentileOf(of, agents), expected);
    });
});

describe('activity', () => {
  it('writes a request of each agent with a key once a minute, and of no other agent', async () => {
    const { ids, keys, auth, advance, at } = await activeAgents(3);
    const [one = '', other = ''] = keys;
    const times = async () => await Promise.all(ids.map(lastActive));
    advance(1000);
    await auth.authenticate(one);
    await until('the activity of one agent', async () => (await times())[0]?.getTime() === at(0).getTime());
    advance(1000);
    for (const key of [one, other]) await auth.authenticate(key);
    await until('the activity of the other', async () => (await times())[1]?.getTime() === at(0).getTime());
    assert.deepEqual(await times(), [at(-1000), at(0), at(-2000)]);
    advance(60_000);
    await auth.authenticate(one);
    await until('the next activity', async () => (await times())[0]?.getTime() === at(0).getTime());
  });
});
