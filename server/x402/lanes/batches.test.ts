import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { execute, signPayment } from '../../../test/support/money/authorizations.ts';
import { contractWallet, wrapped } from '../../../test/support/money/contract-wallets.ts';
import { until } from '../../../test/support/processes/processes.ts';
import { rpcProxy, sendJson } from '../../../test/support/servers/http-server.ts';
import { atOnce, batchWorld } from '../../../test/support/worlds/batch-world.ts';
import { codeOf, collect, pay } from '../../../test/support/worlds/payment-world.ts';
import type { Settlement } from '../types.ts';
import { nextBatch } from './batches.ts';
import { facilitatorPayment } from '../presented-payment.ts';
import { readSettlement } from '../read-settlement.ts';

const PRICE = 250_000;
/** Jumps to its own start until no gas is left. */
const BURNER = '0x5b600056';

describe('the calls of one transaction', () => {
  const call = (gas: number, batchable = true) => ({
    to: '0x' as const,
    data: '0x' as const,
    gas: BigInt(gas),
    batchable,
  });

  it('are those of ordinary wallets, up to the size and the gas of a batch', () => {
    const places = (calls: ReturnType<typeof call>[], size = 100) => [...nextBatch(calls, size)];
    assert.deepEqual(places([]), []);
    assert.deepEqual(places([call(1, false), call(1)]), [0]);
    assert.deepEqual(places([call(1), call(1, false), call(1), call(1)], 2), [0, 2]);
    assert.deepEqual(places([call(7_000_000), call(8_000_000), call(6_000_000)]), [0, 2]);
    assert.equal(
      nextBatch(
        Array.from({ length: 200 }, () => call(300_000)),
        100,
      ).size,
      47,
    );
  });
});

describe('payments in batches', async () => {
  const world = await batchWorld();
  const { facilitatorWith, wallets, signed, balanceOf } = world;
  const { chain } = world.deps;

  /** A proxy to the node that does something before the first batch reaches it, and counts the requests by method. */
  async function watched(beforeBroadcast: () => Promise<unknown>) {
    const methods: string[] = [];
    let first = true;
    const rpcUrl = await rpcProxy(world.rpcUrl, async ({ id, method }, response) => {
      methods.push(method);
      if (method !== 'eth_sendRawTransaction' || !first) return false;
      first = false;
      if ((await beforeBroadcast()) !== 'swallow') return false;
      sendJson(response, 200, { jsonrpc: '2.0', id, result: `0x${'77'.repeat(32)}` });
      return true;
    });
    const count = (method: string) => methods.filter((each) => each === method).length;
    return { rpcUrl, broadcasts: () => count('eth_sendRawTransaction'), count };
  }
  const hashes = (settlements: Settlement[]) => new Set(settlements.map(({ transaction }) => transaction));

  it('go out as one transaction, and each is proven by a transfer of its own', async () => {
    const before = await chain.balanceMicro(world.payTo);
    const payers = await wallets(30);
    const payments = await Promise.all(payers.map((payer, index) => signed(payer, index % 2 === 0 ? 1 : 2)));
    const settled = await atOnce(facilitatorWith(), payments);
    assert.ok(settled.every(({ success }) => success));
    assert.equal(hashes(settled).size, 1);
    assert.equal(new Set(settled.map(({ proof }) => proof?.logIndex)).size, 30);
    assert.equal(await chain.balanceMicro(world.payTo), before + 30 * PRICE);
  });

  it('do not take contract wallets along: those go out alone', async () => {
    const owner = await world.wallet(0);
    const contract = await contractWallet(world.rpc, owner.account.address);
    await world.mintUsdc(contract, PRICE);
    const quote = world.quote();
    const presented = await signPayment(owner, quote, { from: contract });
    const ofContract = facilitatorPayment(quote, { ...presented, signature: wrapped(presented.signature) });
    const others = await Promise.all((await wallets(3)).map((payer) => signed(payer)));
    const settled = await atOnce(facilitatorWith(), [...others.slice(0, 2), ofContract, ...others.slice(2)]);
    assert.ok(settled.every(({ success }) => success));
    assert.equal(hashes(settled).size, 2);
    assert.equal(settled.filter(({ transaction }) => transaction === settled[2]?.transaction).length, 1);
  });

  for (const version of [1, 2] as const)
    it(`lose only the payment (v${version}) whose money moved between simulation and batch`, async () => {
      const payers = await wallets(4);
      const payments = await Promise.all(payers.map((payer) => signed(payer, version)));
      const rival = await signPayment(payers[1]!, world.quote());
      const { rpcUrl, broadcasts } = await watched(() => execute(world.rpc, rival));
      const settled = await atOnce(facilitatorWith({ rpcUrl }), payments);
      assert.deepEqual(
        settled.map(({ success }) => success),
        [true, false, true, true],
      );
      assert.equal(settled[1]?.unpaid, true);
      assert.equal(settled[1]?.errorReason, 'invalid_exact_evm_transaction_failed');
      assert.equal(settled[1]?.proof, undefined);
      assert.equal(broadcasts(), 1);
    });

  it('end as one failed payment, and its payer may pay again', async () => {
    const payers = await wallets(3);
    const quotes = payers.map(() => world.quote());
    const paying = await Promise.all(payers.map((payer, index) => pay(payer, quotes[index]!)));
    const rival = await signPayment(payers[1]!, world.quote());
    const { rpcUrl } = await watched(async () => {
      // Before its claim, the payment would be refused and not failed.
      await until('the claim', async () => (await world.rows(quotes[1]!.subjectId)).length > 0);
      return await execute(world.rpc, rival);
    });
    const deps = world.with({ facilitator: facilitatorWith({ rpcUrl, batchWindowMs: 200 }) });
    const codes = paying.map((payment, index) => codeOf(collect(deps, quotes[index]!, payment)));
    assert.deepEqual(await Promise.all(codes), ['no error', 'PAYMENT_FAILED', 'no error']);
    assert.deepEqual(
      (await world.rows(quotes[1]!.subjectId)).map(({ state, watched: isWatched }) => [state, isWatched]),
      [['failed', true]],
    );
    await world.mintUsdc(payers[1]!.address, PRICE);
    await collect(deps, quotes[1]!, await pay(payers[1]!, quotes[1]!));
    assert.deepEqual((await world.checkLedger()).problems, []);
  });

  it('survive a wallet that turns into a contract and burns the gas of the whole batch', async () => {
    const payers = await wallets(5);
    const payments = await Promise.all(payers.map((payer) => signed(payer)));
    const burner = payers[1]!;
    const { rpcUrl, broadcasts } = await watched(async () => {
      await world.rpc('anvil_setCode', [burner.address, BURNER]);
    });
    const settled = await atOnce(facilitatorWith({ rpcUrl }), payments);
    assert.deepEqual(
      settled.map(({ success }) => success),
      [true, false, true, true, true],
    );
    assert.ok(broadcasts() <= 5);
    assert.deepEqual(await Promise.all(payers.map(balanceOf)), [0, PRICE, 0, 0, 0]);
    assert.ok(settled.every(({ proof, success, transaction }) => !success || proof?.txHash === transaction));
  });

  it('go out alone when the node refuses the batch', async () => {
    let refused = 0;
    const rpcUrl = await rpcProxy(world.rpcUrl, ({ id, method, params }, response) => {
      if (method !== 'eth_sendRawTransaction' || String(params[0]).length < 1_500) return false;
      refused += 1;
      sendJson(response, 200, { jsonrpc: '2.0', id, error: { code: -32000, message: 'exceeds block gas limit' } });
      return true;
    });
    const payments = await Promise.all((await wallets(3)).map((payer) => signed(payer)));
    const settled = await atOnce(facilitatorWith({ rpcUrl }), payments);
    assert.ok(settled.every(({ success }) => success));
    assert.equal(hashes(settled).size, 3);
    assert.equal(refused, 1);
  });

  it('pass over a key without gas, with an alarm', async () => {
    const alarms: unknown[] = [];
    const log = { warn() {}, error: (about: object) => void alarms.push(about) };
    const empty = generatePrivateKey();
    const payments = await Promise.all((await wallets(8)).map((payer) => signed(payer)));
    const told: string[] = [];
    const onNoGas = (address: string) => void told.push(address);
    const facilitator = facilitatorWith({ keys: [empty, world.facilitatorKey], log, onNoGas });
    const settled = await atOnce(facilitator, payments);
    assert.ok(settled.every(({ success }) => success));
    assert.deepEqual(alarms, [{ alert: 'facilitator_key_without_gas', address: privateKeyToAddress(empty) }]);
    assert.deepEqual(told, [privateKeyToAddress(empty)]);
    // No key with gas: nothing waits, and nothing is believed to be refused.
    const poor = facilitatorWith({ keys: [empty, generatePrivateKey()], log });
    const payments2 = await Promise.all((await wallets(3)).map((payer) => signed(payer)));
    for (const settlement of await atOnce(poor, payments2)) assert.equal(readSettlement(settlement).kind, 'unknown');
    const keys = await poor.gasOfKeys!();
    assert.deepEqual(
      keys.map(({ gasWei, usable }) => [gasWei, usable]),
      [
        [0n, false],
        [0n, false],
      ],
    );
  });
});
