import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { agentUnderOperator } from '../../../test/support/worlds/standing-world.ts';

const { db } = await testDatabase();
const DAY_MS = 86_400_000;
const setUp = (name?: string) => agentUnderOperator(db, name);

describe('three days of failed payments within seven', () => {
  it('limit an agent for 24 hours, by the system', async () => {
    const { failedToday, advance, statusNow, lines, stored, at } = await setUp();
    for (let day = 1; day <= 2; day += 1) {
      await failedToday();
      // The same day again is one day.
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

  const cases: { gaps: number[]; limited: boolean; what: string }[] = [
    { gaps: [1, 5], limited: true, what: 'the first and the seventh of seven days' },
    { gaps: [1, 6], limited: false, what: 'the first and the eighth' },
    { gaps: [6, 6], limited: false, what: 'six days apart each' },
  ];
  for (const { gaps, limited, what } of cases) {
    it(`${what}: ${limited ? 'limited' : 'not'}`, async () => {
      const { failedToday, advance, stored } = await setUp();
      await failedToday();
      for (const days of gaps) {
        advance(days * DAY_MS);
        await failedToday();
      }
      assert.equal((await stored())?.['status'], limited ? 'limited' : 'active');
    });
  }

  it('counts UTC days, from midnight to midnight', async () => {
    const { failedToday, advance, stored } = await setUp();
    // 12:00 on the first day; 23:59:59.999 of it; 00:00 of the next; its last millisecond; and the third day.
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

  it('weaken nothing that an operator has said', async () => {
    for (const status of ['suspended', 'under_review', 'limited'] as const) {
      const { failedToday, advance, stored, set, told } = await setUp();
      await set(status, { reason: 'Said by the operator', untilMs: 30 * DAY_MS });
      const before = await stored();
      for (let day = 1; day <= 4; day += 1) {
        await failedToday();
        advance(DAY_MS);
      }
      assert.deepEqual(await stored(), before);
      assert.deepEqual(await told(), [`operator: active to ${status}`]);
    }
  });

  it('are counted once, however many processes tell of them at once', async () => {
    const { failedToday, advance, told } = await setUp();
    for (let day = 1; day <= 3; day += 1) {
      await Promise.all(Array.from({ length: 5 }, failedToday));
      if (day < 3) advance(DAY_MS);
    }
    assert.deepEqual(await told(), ['system: active to limited']);
  });
});
