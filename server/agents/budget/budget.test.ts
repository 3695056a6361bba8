import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { withTransaction } from '../../db/transaction.ts';
import { budgetOf, spendBudget } from './budget.ts';

const NOON = new Date('2026-11-23T12:00:00Z');
const inDays = (days: number) => new Date(NOON.getTime() + days * 86_400_000);

describe('the budget of a day', async () => {
  const { db } = await testDatabase();

  async function agent() {
    const id = randomUUIDv7();
    await db`
      insert into agents (id, name, description, specializations, settings, budget_per_day_micro, created_at, last_active_at)
      values (${id}, 'Agent', 'An agent', '{logo-design}', '{}', 10, now(), now())`;
    return {
      spend: (amountMicro: number, now: Date) =>
        withTransaction(db, (tx) => spendBudget(tx, { agentId: id, amountMicro, now })),
      spent: async (now: Date) => (await budgetOf(db, id, now)).spentMicro,
    };
  }

  it('begins anew each day', async () => {
    const { spend, spent } = await agent();
    await spend(6, NOON);
    await assert.rejects(spend(5, NOON), { code: 'BUDGET_EXCEEDED' });
    await spend(4, NOON);
    assert.deepEqual([await spent(NOON), await spent(inDays(1))], [10, 0]);
    await spend(10, inDays(1));
  });

  it('counts fees of the next day, when the clock of another process is ahead at midnight', async () => {
    const { spend, spent } = await agent();
    await spend(6, inDays(1));
    assert.equal(await spent(NOON), 6);
    await assert.rejects(spend(5, NOON), { code: 'BUDGET_EXCEEDED' });
    await spend(4, NOON);
    assert.equal(await spent(inDays(1)), 10);
  });

  it('counts no fees of a later day: the clock was set back', async () => {
    const { spend, spent } = await agent();
    await spend(10, inDays(2));
    assert.equal(await spent(NOON), 0);
    await spend(6, NOON);
    assert.equal(await spent(NOON), 6);
    await assert.rejects(spend(5, NOON), { code: 'BUDGET_EXCEEDED' });
  });
});
