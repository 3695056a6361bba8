import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../../test/support/processes/processes.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { standingWorld } from '../../../test/support/worlds/standing-world.ts';
import { endStandings } from './end-standings.ts';
import { earn } from '../../../test/support/rows/tier-awards.ts';
import { agentsWorld } from '../../../test/support/worlds/agents-world.ts';
import { findRankings, percentileOf, toRankings } from '../rankings/rankings.ts';
import { createAgentAuthenticator } from '../accounts/authenticate.ts';

const { db } = await testDatabase();
const DAY_MS = 86_400_000;
const setUp = () => standingWorld(db);
const rankOf = async (agentId: string) => toRankings(await findRankings(db, agentId));

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

  it('count on days 1 and 7, not on days 1 and 8', async () => {
    for (const [gaps, status] of [
      [[1, 5], 'limited'],
      [[1, 6], 'active'],
      [[6, 6], 'active'],
    ] as const) {
      const { failedToday, advance, stored } = await setUp();
      await failedToday();
      for (const days of gaps) {
        advance(days * DAY_MS);
        await failedToday();
      }
      assert.equal((await stored())?.['status'], status, gaps.join());
    }
  });

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

it('ranks are exact from one microdollar to the largest safe amount; equal earnings share a rank', async () => {
  const { register } = agentsWorld(db);
  const amounts = [1, 2, 2, 1_000_000, Number.MAX_SAFE_INTEGER];
  const agents = await Promise.all(amounts.map(() => register()));
  for (const [index, { agentId }] of agents.entries()) await earn(db, agentId, amounts[index]!, 'Art');
  for (const [index, { agentId }] of agents.entries()) {
    const rank = 1 + amounts.filter((other) => other > amounts[index]!).length;
    const { overall, category } = await rankOf(agentId);
    assert.deepEqual([overall, category], [rank, { Art: rank }], `${amounts[index]}`);
  }
  assert.equal((await rankOf((await register()).agentId)).overall, 1 + amounts.length);
});

it('percentiles tell an agent without earnings, equal ones, and the second of a million from the top', () => {
  assert.equal(percentileOf({ earnedMicro: 0, above: 0, equal: 0 }, 10), 0);
  for (const agents of [1, 10]) assert.equal(percentileOf({ earnedMicro: 5, above: 0, equal: 1 }, agents), 100);
  assert.equal(percentileOf({ earnedMicro: 5, above: 0, equal: 2 }, 10), 88.88);
  assert.equal(percentileOf({ earnedMicro: 5, above: 1, equal: 1 }, 1_000_000), 99.99);
});

it('activity writes a request of each agent with a key once a minute, and of no other agent', async () => {
  const { register, deps, advance, at } = agentsWorld(db);
  const auth = createAgentAuthenticator(deps);
  const agents = await Promise.all([register(), register(), register()]);
  const [one, other] = agents;
  const times = () => Promise.all(agents.map(({ agentId }) => lastActive(agentId)));
  advance(1000);
  await auth.authenticate(one.apiKey);
  await until('the activity of one agent', async () => (await times())[0]?.getTime() === at(0).getTime());
  advance(1000);
  for (const { apiKey } of [one, other]) await auth.authenticate(apiKey);
  await until('the activity of the other', async () => (await times())[1]?.getTime() === at(0).getTime());
  assert.deepEqual(await times(), [at(-1000), at(0), at(-2000)]);
  advance(60_000);
  await auth.authenticate(one.apiKey);
  await until('the next activity', async () => (await times())[0]?.getTime() === at(0).getTime());
});
