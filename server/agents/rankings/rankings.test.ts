import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { EVERY_AWARD } from '../../../test/support/rows/tier-awards.ts';
import { testDatabase } from '../../../test/support/test-database.ts';
import { withTransaction } from '../../db/transaction.ts';
import { agentsWorld } from '../../../test/support/worlds/agents-world.ts';
import { createAgent } from '../accounts/create-agent.ts';
import { percentileOf, toRankings, findRankings } from './rankings.ts';
import { recordEarned } from './results.ts';

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
