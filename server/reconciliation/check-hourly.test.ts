import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ChainUnavailable } from '../ports/chain.ts';
import { checkHourly } from './check-hourly.ts';
import { network, paymentWorld } from '../../test/support/worlds/payment-world.ts';

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
    await checkHourly({ ...deps, chain: { ...chain, balanceMicro } });
    aheadMs += 301_000;
    await checkHourly(deps);
    const rows = await db<{ matches: boolean }[]>`
      select chain_matches as matches from ledger_checks order by checked_at desc limit 2`;
    assert.deepEqual(
      rows.map(({ matches }) => matches),
      [true, false],
    );
  });
});
