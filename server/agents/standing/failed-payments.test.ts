import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testDatabase } from '../../../test/support/test-database.ts';
import { standingWorld } from '../../../test/support/worlds/standing-world.ts';

const { db } = await testDatabase();
const DAY_MS = 86_400_000;
const setUp = (name?: string) => standingWorld(db, name);

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

  it('limit the agent once, even if several processes report them at the same time', async () => {
    const { failedToday, advance, statusChanges } = await setUp();
    for (let day = 1; day <= 3; day += 1) {
      await Promise.all(Array.from({ length: 5 }, failedToday));
      if (day < 3) advance(DAY_MS);
    }
    assert.deepEqual(await statusChanges(), ['system: active to limited']);
  });
});
