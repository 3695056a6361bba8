import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import pino from 'pino';
import { EVERY_AWARD } from '../../../test/support/rows/tier-awards.ts';
import type { Context } from '../../deps.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { withTransaction } from '../../db/transaction.ts';
import { agentsWorld } from '../../../test/support/worlds/agents-world.ts';
import { createAgent } from '../accounts/create-agent.ts';
import { getAnalytics } from '../../views/agents/get-analytics.ts';
import { percentileOf, toRankings, findRankings } from './rankings.ts';
import { agentsAbove, countRegisteredAgents } from './rankings-queries.ts';
import { recordEarned } from './results.ts';
import type { AgentCaller } from '../../ports/callers.ts';

const { db } = await testDatabase();
const world = agentsWorld(db);

async function newAgent(): Promise<string> {
  const body = {
    agent_name: 'Ada',
    description: 'Draws logos by hand and by number.',
    specializations: ['logo-design'],
  };
  return (await createAgent(world.anyone, { body })).agentId;
}

async function earn(agentId: string, amountMicro: number, category = 'Symbols & Corporate'): Promise<void> {
  await withTransaction(db, async (tx) => {
    await tx`update agents set pending_micro = pending_micro + ${amountMicro} where id = ${agentId}`;
    const earned = { agentId, projectId: randomUUIDv7(), amountMicro, categories: [category], at: new Date() };
    await recordEarned({ newId: () => randomUUIDv7() }, tx, earned, EVERY_AWARD);
  });
}

const rankOf = async (agentId: string) => toRankings(await findRankings(db, agentId));

describe('ranks', () => {
  it('are exact from one microdollar to the largest safe amount, at every node boundary of the tree', async () => {
    const powers = Array.from({ length: 9 }, (_, level) => 64 ** level);
    const amounts = [...new Set(powers.flatMap((power) => [power - 1, power, power + 1, 63 * power]))].filter(
      (amount) => amount > 0 && Number.isSafeInteger(amount),
    );
    amounts.push(Number.MAX_SAFE_INTEGER);
    const agents: { id: string; amount: number }[] = [];
    for (const amount of amounts) {
      const id = await newAgent();
      await earn(id, amount);
      agents.push({ id, amount });
    }
    for (const { id, amount } of agents) {
      const { overall, category } = await rankOf(id);
      const rank = 1 + amounts.filter((other) => other > amount).length;
      assert.deepEqual([overall, category], [rank, { 'Symbols & Corporate': rank }], `${amount}`);
    }
  });

  it('stay exact while several agents earn at once in several categories', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => newAgent()));
    const earned = new Map<string, number>();
    const works = Array.from({ length: 120 }, (_, index) => {
      const id = ids[(index * 7) % ids.length]!;
      const amount = 1 + ((index * 37) % 5) * 64 ** (index % 4);
      earned.set(id, (earned.get(id) ?? 0) + amount);
      return () => earn(id, amount, ['Symbols & Corporate', 'Art', 'Marketing'][index % 3]);
    });
    await Promise.all(works.map((work) => work()));
    const all = await db<{ earned: number }[]>`select earned_micro as earned from agents`;
    for (const id of ids) {
      const mine = earned.get(id)!;
      assert.equal((await rankOf(id)).overall, 1 + all.filter((other) => other.earned > mine).length);
    }
    const wrong = await db`
      select level from earnings_ranks where scope = 'overall' group by level having sum(agents) <> ${all.filter((row) => row.earned > 0).length}`;
    assert.deepEqual([...wrong], []);
    assert.deepEqual([...(await db`select 1 from earnings_ranks where agents <= 0`)], []);
  });

  it('read a few hundred rows at most, for any number of agents with earnings', async () => {
    await db`
      insert into earnings_ranks (scope, level, bucket, agents)
      select 'crowd', level, n * 9973 >> (6 * level), count(*) from generate_series(1::bigint, 50000) n, generate_series(0, 8) level
      group by 1, 2, 3`;
    await db`analyze earnings_ranks`;
    const above = agentsAbove(db, db`'crowd'::text`, db`9973::bigint`);
    const lines = await db<{ 'QUERY PLAN': string }[]>`explain (analyze, costs off, timing off) ${above}`;
    const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
    assert.match(plan, /Index Scan using earnings_ranks_pkey/);
    assert.doesNotMatch(plan, /Seq Scan/);
    const [row] = await db<[{ agents: number }]>`${above}`;
    assert.equal(row.agents, 49_999);
    await db`delete from earnings_ranks where scope = 'crowd'`;
  });

  it('use the current number of agents, after registrations and deletions', async () => {
    const counted = async () => (await db<[{ count: number }]>`select count(*) as count from agents`)[0].count;
    const id = await newAgent();
    assert.equal(await countRegisteredAgents(db), await counted());
    await db`delete from agent_keys where agent_id = ${id}`;
    await db`delete from agents where id = ${id}`;
    assert.equal(await countRegisteredAgents(db), await counted());
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
    ['all agents equal', 0, { earnedMicro: 5, above: 0, equal: 10 }, 10],
    ['two equal top agents', 88.88, { earnedMicro: 5, above: 0, equal: 2 }, 10],
    ['the second of a million agents, not rounded up to 100', 99.99, { earnedMicro: 5, above: 1, equal: 1 }, 1_000_000],
    ['the agent with the lowest earnings', 0, { earnedMicro: 5, above: 9, equal: 1 }, 10],
    ['an agent count that is too low', 0, { earnedMicro: 5, above: 9, equal: 3 }, 10],
  ];
  for (const [title, expected, of, agents] of cases)
    it(`${title}: ${expected}`, () => {
      assert.equal(percentileOf(of, agents), expected);
    });
});

describe('analytics of an agent with 10,000 entries', () => {
  it('count each entry on its day', async () => {
    const agentId = await newAgent();
    const now = world.at(0);
    const posterId = agentId;
    await db`insert into posters (id, name, created_at) values (${posterId}, 'Poster', ${now})`;
    await db`
      insert into projects (id, poster_id, title, description, requirements, prize_micro, entry_fee_micro, platform_fee_ppm, specializations,
        item_count, style_references, color_preferences, size_requirements, tags, ai_analysis, auto_select_deadline, judging_hours, status, created_at, updated_at)
      select gen_random_uuid(), ${posterId}, 'A logo', 'A logo', '', 5000000, 0, 50000, '{logo-design}', 1, '{}', '{}', '', '{}', '{}',
        ${now}, 72, 'draft', ${now}, ${now} from generate_series(1, 10000)`;
    await db`
      insert into submissions (id, project_id, agent_id, title, status, created_at, submitted_at)
      select gen_random_uuid(), id, ${agentId}, 'Entry', 'submitted', ${now}, ${now}::timestamptz - row_number() over () * interval '30 minutes'
      from projects`;
    await db`vacuum (analyze) submissions`;
    const ctx = {
      ...world.deps,
      log: pino({ level: 'silent' }),
      caller: { kind: 'agent', agentId },
    } as unknown as Context<AgentCaller>;
    const { value, series } = (await getAnalytics(ctx, {
      query: { metric: 'submissions', timeframe: '365d' },
    })) as { value: number; series: { value: number }[] };
    const days = series.map((day) => day.value);
    assert.deepEqual([value, days.length, days.reduce((sum, each) => sum + each, 0)], [10_000, 365, 10_000]);
    // One entry every half hour, starting at 12:00 today.
    assert.deepEqual(days.slice(-3), [48, 48, 24]);
  });
});
