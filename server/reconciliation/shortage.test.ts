import assert from 'node:assert/strict';
import { it } from 'node:test';
import { collect, network, pay, paymentWorld } from '../../test/support/worlds/payment-world.ts';
import { checkHourly } from './check-hourly.ts';

it('takes no money while the treasury holds less than the books say, and takes it again afterwards', async () => {
  const world = await paymentWorld();
  const { chain } = world.deps;
  let aheadMs = 0;
  const clock = { now: () => new Date(Date.now() + aheadMs) };
  const deps = { ...world.deps, clock, network, payTo: world.payTo };
  const payer = await world.wallet(1_000_000);
  const first = world.quote();
  await collect(deps, first, await pay(payer, first));
  await checkHourly(deps);

  const emptied: typeof chain.balanceMicro = async (address, block) =>
    (await chain.balanceMicro(address, block)) - (address === world.payTo ? 200_000 : 0);
  aheadMs += 60_000;
  await checkHourly({ ...deps, chain: { ...chain, balanceMicro: emptied } });
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
