import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collect, pay, paymentWorld } from '../../test/support/worlds/payment-world.ts';

describe('a treasury that received USDC before the service started', async () => {
  const world = await paymentWorld();
  const { chain } = world.deps;
  // As on a real network: the search covers the blocks of one hour, and the transfer is older.
  const young = { ...chain, searchStart: () => chain.blockNumber() };

  it('books the USDC as a stray, and can be checked from then on', async () => {
    await world.mintUsdc(world.payTo, 7);
    await world.mine();
    const first = await world.checkLedger(young);
    assert.deepEqual([first.problems, first.strays], [[], { count: 1, amountMicro: 7 }]);
    // Simulates a process that died before it stored the scanned block.
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
