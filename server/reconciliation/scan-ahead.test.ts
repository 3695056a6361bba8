import assert from 'node:assert/strict';
import { it } from 'node:test';
import { execute, signPayment } from '../../test/support/money/authorizations.ts';
import { collect, network, pay, paymentWorld } from '../../test/support/worlds/payment-world.ts';
import { ChainUnavailable } from '../chain/types.ts';
import { scanStart } from './queries.ts';
import { scanAhead } from './scan-ahead.ts';

it('stores how far a long scan has come, and goes on from there up to a transfer without a row', async () => {
  const world = await paymentWorld();
  const { deps } = world;
  const payer = await world.wallet(10_000_000);
  const payTo = deps.treasury.address;
  const scanned = () => scanStart(deps.db, { network: network.id, treasury: payTo, asset: network.usdc.address });
  const first = world.quote();
  await collect(deps, first, await pay(payer, first));
  assert.deepEqual((await world.checkLedger()).problems, []);
  const from = (await scanned()) ?? 0;
  await world.rpc('anvil_mine', ['0x5']);
  const quote = world.quote();
  await collect(deps, quote, await pay(payer, quote));
  await world.rpc('anvil_mine', ['0x5']);
  const starts: number[] = [];
  // The node breaks off in the third step.
  const transfersOf: typeof deps.chain.transfersOf = async (address, ...range) => {
    starts.push(range[0]);
    if (starts.length === 3) throw new ChainUnavailable();
    return await deps.chain.transfersOf(address, ...range);
  };
  const ahead = () => scanAhead({ ...deps, network, payTo, chain: { ...deps.chain, transfersOf } }, 2);
  await assert.rejects(ahead(), ChainUnavailable);
  assert.equal(await scanned(), from + 4);
  await ahead();
  assert.deepEqual(starts.slice(0, 5), [from, from + 2, from + 4, from + 4, from + 6]);
  const before = (await scanned()) ?? 0;
  await world.rpc('anvil_mine', ['0x5']);
  const unbooked = world.quote();
  await execute(world.rpc, await signPayment(payer, unbooked));
  const block = await deps.chain.blockNumber();
  await world.rpc('anvil_mine', ['0x5']);
  await ahead();
  const stopped = (await scanned()) ?? 0;
  assert.ok(stopped > before && stopped <= block, `${before} ${stopped} ${block}`);
  await collect(deps, unbooked, await pay(payer, unbooked));
  assert.deepEqual((await world.checkLedger()).problems, []);
});
