import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collect, pay, paymentWorld } from '../../test/support/worlds/payment-world.ts';

describe('a treasury that was sent USDC before its service was there', async () => {
  const world = await paymentWorld();
  const { chain } = world.deps;
  // As on a real network: an hour's blocks are searched, and the transfer is older.
  const young = { ...chain, searchStart: () => chain.blockNumber() };

  it("starts with it as nobody's, and can be checked from then on", async () => {
    await world.mintUsdc(world.payTo, 7);
    await world.mine();
    const first = await world.checkLedger(young);
    assert.deepEqual([first.problems, first.strays], [[], { count: 1, amountMicro: 7 }]);
    // Died before it could note how far it had looked.
    await world.db`delete from treasury_scans`;
    assert.deepEqual((await world.checkLedger(young)).problems, []);
    const quote = world.quote();
    await collect(world.with({ chain: young }), quote, await pay(await world.wallet(1_000_000), quote));
    await world.mintUsdc(world.payTo, 5);
    for (const check of [await world.checkLedger(young), await world.checkLedger(young)]) {
      assert.deepEqual(check.problems, []);
      assert.equal(check.chainMatches, true);
      assert.equal(check.strays.amountMicro, 12);
    }
  });
});
