import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collect, network, pay, paymentWorld } from '../../test/support/worlds/payment-world.ts';
import { ChainUnavailable } from '../chain/types.ts';
import { payoutsStopped, setNextTurn } from '../ledger/public.ts';
import { checkHourly } from './check-hourly.ts';

describe('checkHourly', async () => {
  const world = await paymentWorld();
  const { db, chain } = world.deps;
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const deps = { ...world.deps, clock, network, payTo: world.payTo };
  const checks = async () => (await db<[{ count: number }]>`select count(*) as count from ledger_checks`)[0].count;

  it('checks once an hour in total, for any number of processes', async () => {
    await Promise.all(Array.from({ length: 8 }, () => checkHourly(deps)));
    assert.equal(await checks(), 1);
    aheadMs += 3_540_000;
    await checkHourly(deps);
    assert.equal(await checks(), 1);
    aheadMs += 120_000;
    await Promise.all(Array.from({ length: 8 }, () => checkHourly(deps)));
    assert.equal(await checks(), 2);
  });

  it('tries again after one minute if the chain did not respond, and stores nothing', async () => {
    aheadMs += 3_700_000;
    const finalBlock = async () => Promise.reject(new ChainUnavailable());
    await assert.rejects(checkHourly({ ...deps, chain: { ...chain, finalBlock } }), ChainUnavailable);
    await checkHourly(deps);
    assert.equal(await checks(), 2);
    aheadMs += 61_000;
    await checkHourly(deps);
    assert.equal(await checks(), 3);
  });

  it('runs in another process if the first one died during the check', async () => {
    aheadMs += 3_700_000;
    const finalBlock = () => new Promise<number>(() => {});
    void checkHourly({ ...deps, chain: { ...chain, finalBlock } });
    while (
      await db<[{ free: boolean }]>`select due_at <= ${clock.now()} as free from ledger_check_turn`.then(
        ([row]) => row.free,
      )
    );
    await checkHourly(deps);
    assert.equal(await checks(), 3);
    aheadMs += 601_000;
    await checkHourly(deps);
    assert.equal(await checks(), 4);
  });

  it('checks again after five minutes if there was a mismatch', async () => {
    aheadMs += 3_700_000;
    const balanceMicro = async () => 1;
    await checkHourly({ ...deps, chain: { ...chain, balanceMicro } }, { rereadMs: 0 });
    aheadMs += 301_000;
    await checkHourly(deps);
    const rows = await db<{ matches: boolean }[]>`
      select chain_matches as matches from ledger_checks order by checked_at desc limit 2`;
    assert.deepEqual(
      rows.map(({ matches }) => matches),
      [true, false],
    );
  });

  /** Starts a check that has read the chain, and ends when `end` is called. */
  async function slowCheck() {
    const [hasRead, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const transfersOf: typeof chain.transfersOf = async (...range) => {
      const transfers = await chain.transfersOf(...range);
      hasRead.resolve();
      await mayEnd.promise;
      return transfers;
    };
    const ended = checkHourly({ ...deps, chain: { ...chain, transfersOf } });
    await hasRead.promise;
    return async () => {
      mayEnd.resolve();
      await ended;
    };
  }

  it('hides no mismatch of a check that read later and ended earlier, and checks again after five minutes', async () => {
    aheadMs += 3_700_000;
    const end = await slowCheck();
    await world.checkLedger({ ...chain, balanceMicro: async () => 1 });
    assert.match((await payoutsStopped(db)) ?? '', /the treasury holds 1 on chain/);
    await end();
    assert.match((await payoutsStopped(db)) ?? '', /the treasury holds 1 on chain/);
    const stored = await checks();
    aheadMs += 301_000;
    await checkHourly(deps);
    assert.deepEqual([await checks(), await payoutsStopped(db)], [stored + 1, null]);
  });

  it('puts off no check that became due while it ran', async () => {
    aheadMs += 3_700_000;
    const end = await slowCheck();
    await setNextTurn(db, clock.now());
    await end();
    const stored = await checks();
    await checkHourly(deps);
    assert.equal(await checks(), stored + 1);
  });

  it('takes no money while the treasury holds less than the books say, and takes it again afterwards', async () => {
    const payer = await world.wallet(1_000_000);
    const first = world.quote();
    await collect(deps, first, await pay(payer, first));
    await checkHourly(deps);

    const emptied: typeof chain.balanceMicro = async (address, block) =>
      (await chain.balanceMicro(address, block)) - (address === world.payTo ? 200_000 : 0);
    aheadMs += 60_000;
    await checkHourly({ ...deps, chain: { ...chain, balanceMicro: emptied } }, { rereadMs: 0 });
    const quote = world.quote();
    const payment = await pay(payer, quote);
    const refusal = {
      code: 'INTERNAL_ERROR',
      status: 503,
      message: /^Nothing was charged: the treasury holds less USDC/,
    };
    await assert.rejects(collect(deps, quote, payment), refusal);
    await assert.rejects(collect(deps, quote, null), refusal);
    assert.equal(await chain.balanceMicro(payer.address), 750_000);

    aheadMs += 60_000;
    await checkHourly(deps);
    await collect(deps, quote, payment);
    assert.equal(await chain.balanceMicro(payer.address), 500_000);
  });
});
