import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  parseGwei,
  parseTransaction,
  recoverTransactionAddress,
  toHex,
  type TransactionSerialized,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { rpcProxy, sendJson } from '../../../test/support/servers/http-server.ts';
import { until } from '../../../test/support/processes/processes.ts';
import { batchWorld, holdingLane, untilClaimed } from '../../../test/support/worlds/batch-world.ts';
import { codeOf, collect, faulty, network, pay } from '../../../test/support/worlds/payment-world.ts';
import { createEvmChain } from '../../chain/evm-chain.ts';
import type { Facilitator } from '../types.ts';
import type { PaymentDeps } from '../../payments/deps.ts';
import { vanishedPayments } from '../../payments/read-queries.ts';
import { payoutsStopped } from '../../ledger/recovery-state.ts';

const COUNT = 3;
/** The first bytes of a call of `transferWithAuthorization`, with a signature as v, r, and s. */
const TRANSFER_WITH_AUTHORIZATION = 'e3ee160e';

// The chain, or the node, does something to a batch. Each payment counts once, and the books equal the chain.
describe('a batch', async () => {
  const world = await batchWorld();
  const { db, rpc, deps } = world;
  const { log } = deps;
  const patient = { ...deps.payments, waitMs: 60_000 };
  const mineAtOnce = (isOn: boolean) => rpc('evm_setAutomine', [isOn]);
  /** Replaces the blocks after this one by empty ones. */
  const reorganize = async (after: number) =>
    void (await rpc('anvil_reorg', [(await deps.chain.blockNumber()) - after, []]));

  /** Sends a transaction with one event that comes first in the next block. */
  async function firstInBlock(): Promise<void> {
    const from = '0x00000000000000000000000000000000000000aa';
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [from, 0n] });
    const fees = { maxFeePerGas: toHex(parseGwei('500')), maxPriorityFeePerGas: toHex(parseGwei('300')) };
    await rpc('anvil_setBalance', [from, '0xde0b6b3a7640000']);
    await rpc('anvil_impersonateAccount', [from]);
    await rpc('eth_sendTransaction', [{ from, to: network.usdc.address, data, gas: '0x186a0', ...fees }]);
  }

  const [first] = await world.wallets(1);
  const { transaction: earlier } = await deps.facilitator.settle(await world.signed(first!));

  /** A proxy to the node that keeps the broadcasts, and can answer in the node's place. */
  async function watchedNode(lie: (method: string, params: unknown[]) => Promise<unknown> = async () => undefined) {
    const broadcasts: Hex[] = [];
    const rpcUrl = await rpcProxy(world.rpcUrl, async ({ id, method, params }, response) => {
      if (method === 'eth_sendRawTransaction') broadcasts.push(params[0] as Hex);
      const result = await lie(method, params ?? []);
      if (result === undefined) return false;
      sendJson(response, 200, { jsonrpc: '2.0', id, result });
      return true;
    });
    return { rpcUrl, broadcasts };
  }

  /**
   * Payers who pay at the same moment. The lane of the first key is held until their payments are `held`, so that their
   * calls share a broadcast.
   */
  async function payTogether(
    parts: Partial<PaymentDeps>,
    beforePaying: () => Promise<unknown> = async () => {},
    held: 'settling' | 'settled' = 'settling',
  ) {
    const payers = await world.wallets(COUNT);
    const quotes = payers.map(() => world.quote());
    const payments = await Promise.all(payers.map((payer, index) => pay(payer, quotes[index]!)));
    const hasty = world.with({ payments: { ...deps.payments, waitMs: 300 }, ...parts });
    await beforePaying();
    const block = await deps.chain.blockNumber();
    const paying = await holdingLane(db, world.facilitatorKey, async () => {
      const codes = payments.map((payment, index) => codeOf(collect(hasty, quotes[index]!, payment)));
      await untilClaimed(db, ids(), held);
      return codes;
    });
    function ids() {
      return quotes.map(({ subjectId }) => subjectId);
    }
    return {
      /** The newest block before the payments. */
      block,
      answers: () => Promise.all(paying),
      async transactions() {
        const rows = (await Promise.all(ids().map((id) => world.rows(id)))).flat();
        return rows.map(({ txHash }) => String(txHash));
      },
      /** Where the payments are on chain, as the database knows. */
      places: async () =>
        await db<{ block: number; log: number }[]>`
          select block_number as block, log_index as log from payments where subject_id = any(${ids()}) order by id`,
      /** The same requests again, from now on with an honest node. */
      async retry() {
        for (const quote of quotes)
          await until('the payment', async () => {
            const code = await codeOf(collect(deps, quote, null));
            assert.ok(['no error', 'PAYMENT_PENDING'].includes(code), code);
            return code === 'no error';
          });
      },
      /** Each payment is booked now, after it was taken back this often. */
      async isPaidOnce({ takenBack = 0 } = {}) {
        const rows = (await Promise.all(ids().map((id) => world.rows(id)))).flat();
        assert.deepEqual(
          rows.map(({ state }) => state),
          quotes.map(() => 'settled'),
        );
        const journals = await db<{ booked: number; reversed: number }[]>`
          select count(*) filter (where kind <> 'reversal')::int as booked,
            count(*) filter (where kind = 'reversal')::int as reversed
          from ledger_journals where payment_id = any(${rows.map(({ id }) => id)}) group by payment_id`;
        assert.deepEqual(
          journals.map(({ booked, reversed }) => [booked, reversed]),
          quotes.map(() => [takenBack + 1, takenBack]),
        );
        assert.deepEqual(new Set(await Promise.all(payers.map(world.balanceOf))), new Set([0]));
        assert.deepEqual((await world.checkLedger()).problems, []);
      },
    };
  }

  it('is settled again after another transaction of the key took its nonce', async () => {
    const { rpcUrl, broadcasts } = await watchedNode();
    const facilitator = world.facilitatorWith({ rpcUrl, confirmationTimeoutMs: 300 });
    const together = await payTogether({ facilitator }, () => mineAtOnce(false));
    const [batch = '0x'] = await until('the broadcast', async () => broadcasts.length > 0 && broadcasts);
    const key = privateKeyToAccount(world.facilitatorKey);
    const { nonce = 0 } = parseTransaction(batch);
    const fees = { maxFeePerGas: parseGwei('500'), maxPriorityFeePerGas: parseGwei('300') };
    const other = { to: key.address, nonce, gas: 21_000n, chainId: network.chainId, ...fees };
    await rpc('eth_sendRawTransaction', [await key.signTransaction({ type: 'eip1559', ...other })]);
    await rpc('evm_mine', []);
    assert.equal(await rpc('eth_getTransactionReceipt', [keccak256(batch)]), null);
    await mineAtOnce(true);
    await together.answers();
    await together.retry();
    await together.isPaidOnce();
    assert.ok(!(await together.transactions()).includes(keccak256(batch)));
  });

  it('is settled although the base fee has more than doubled since its broadcast', async () => {
    const { rpcUrl, broadcasts } = await watchedNode();
    const together = await payTogether({ facilitator: world.facilitatorWith({ rpcUrl }) }, () => mineAtOnce(false));
    const [batch = '0x'] = await until('the broadcast', async () => broadcasts.length > 0 && broadcasts);
    const { maxPriorityFeePerGas: tip = 0n } = parseTransaction(batch);
    const { baseFeePerGas } = (await rpc('eth_getBlockByNumber', ['latest', false])) as { baseFeePerGas: Hex };
    await rpc('anvil_setNextBlockBaseFeePerGas', [toHex((BigInt(baseFeePerGas) * 5n) / 2n + tip)]);
    await rpc('evm_mine', []);
    assert.notEqual(await rpc('eth_getTransactionReceipt', [keccak256(batch)]), null);
    await mineAtOnce(true);
    await together.answers();
    await together.retry();
    await together.isPaidOnce();
  });

  it('is settled again when its block is reorganized before it is booked', async () => {
    let settled = 0;
    let block = 0;
    const reorganized = Promise.withResolvers<void>();
    const forgetful = faulty(world.facilitatorWith(), (settle) => async (payment) => {
      const { transaction } = await settle(payment);
      settled += 1;
      if (settled === COUNT) reorganized.resolve(reorganize(block));
      await reorganized.promise;
      throw new Error(`the answer about ${transaction} was lost`);
    });
    const together = await payTogether({ facilitator: forgetful }, async () => {
      block = await deps.chain.blockNumber();
    });
    await reorganized.promise;
    assert.deepEqual(new Set(await together.answers()), new Set(['PAYMENT_PENDING']));
    await together.retry();
    await together.isPaidOnce();
  });

  it('is undecided when its block is reorganized after it was booked, until it is mined again', async () => {
    const { rpcUrl, broadcasts } = await watchedNode();
    const together = await payTogether({ facilitator: world.facilitatorWith({ rpcUrl }), payments: patient });
    assert.deepEqual(new Set(await together.answers()), new Set(['no error']));
    assert.ok(new Set(await together.transactions()).size < COUNT);
    await reorganize(together.block);
    const { problems, chainMatches, unknownPayments } = await world.checkLedger();
    assert.deepEqual([problems, chainMatches], [[], true]);
    assert.deepEqual(
      unknownPayments.map(({ error }) => error),
      Array.from({ length: COUNT }, () => 'transfer_vanished'),
    );
    // Only their own projects wait.
    assert.equal((await vanishedPayments(db)).filter(({ isUndecided }) => isUndecided).length, COUNT);
    assert.equal(await payoutsStopped(db), null);
    for (const batch of broadcasts) {
      const hash = await rpc('eth_sendRawTransaction', [batch]);
      await until('the batch is mined', async () => await rpc('eth_getTransactionReceipt', [hash]));
    }
    const mined = await deps.chain.blockNumber();
    assert.equal((await world.sweep()).settled, COUNT);
    assert.equal(await deps.chain.blockNumber(), mined, 'nothing was broadcast again');
    await together.isPaidOnce({ takenBack: 1 });
    assert.equal((await vanishedPayments(db)).length, 0);
  });

  it('is found when it is mined again in another block and behind other events', async () => {
    const { rpcUrl, broadcasts } = await watchedNode();
    const together = await payTogether({ facilitator: world.facilitatorWith({ rpcUrl }), payments: patient });
    assert.deepEqual(new Set(await together.answers()), new Set(['no error']));
    const before = await together.places();
    await reorganize(together.block);
    await mineAtOnce(false);
    await firstInBlock();
    for (const batch of broadcasts) await rpc('eth_sendRawTransaction', [batch]);
    await rpc('evm_mine', []);
    await mineAtOnce(true);
    await together.isPaidOnce();
    const after = await together.places();
    for (const [index, place] of after.entries()) {
      assert.ok(place.block > before[index]!.block, 'a later block');
      assert.equal(place.log, before[index]!.log + 1);
    }
    // Later checks start behind the block in which the payments were booked.
    await rpc('anvil_mine', ['0x80']);
    await together.isPaidOnce();
    await rpc('anvil_mine', ['0x80']);
    await together.isPaidOnce();
    const strays = await db`select from stray_transfers where tx_hash = any(${await together.transactions()})`;
    assert.equal(strays.count, 0);
  });

  it('is booked once when another process broadcasts it too, by another key, after the lease ran out', async () => {
    const second = generatePrivateKey();
    await rpc('anvil_setBalance', [privateKeyToAddress(second), '0xde0b6b3a7640000']);
    // The simulation of the second process knows nothing of the transaction that waits for its block.
    let mined = false;
    const { rpcUrl, broadcasts } = await watchedNode(async (method, [transaction]) =>
      method === 'eth_estimateGas' && !mined ? await rpc(method, [transaction, 'latest']) : undefined,
    );
    const waiting = { rpcUrl, confirmationTimeoutMs: 60_000 };
    const facilitator = world.facilitatorWith(waiting);
    const together = await payTogether({ facilitator, payments: patient }, () => mineAtOnce(false));
    await until('the broadcasts', async () => (await calledBy(world.facilitatorKey)) === COUNT);
    const swept = world.sweep({
      facilitator: world.facilitatorWith({ ...waiting, keys: [second] }),
      clock: { now: () => new Date(deps.clock.now().getTime() + 31_000) },
    });
    await until('the broadcasts of the other key', async () => (await calledBy(second)) === COUNT);
    mined = true;
    await rpc('evm_mine', []);
    await mineAtOnce(true);
    assert.deepEqual(new Set(await together.answers()), new Set(['no error']));
    assert.equal((await swept).settled, COUNT);
    await together.isPaidOnce();

    /** How many authorizations the transactions of a key carry. */
    async function calledBy(key: Hex): Promise<number> {
      let calls = 0;
      for (const serialized of broadcasts as TransactionSerialized[]) {
        const sender = await recoverTransactionAddress({ serializedTransaction: serialized });
        if (sender === privateKeyToAddress(key)) calls += serialized.split(TRANSFER_WITH_AUTHORIZATION).length - 1;
      }
      return calls;
    }
  });

  const receiptOf = (hash: unknown) => rpc('eth_getTransactionReceipt', [hash]) as Promise<object | null>;
  const lies: Record<string, (hash: unknown) => Promise<unknown>> = {
    'has no events': async (hash) => ({ ...(await receiptOf(hash)), logs: [] }),
    'has reverted': async (hash) => ({ ...(await receiptOf(hash)), status: '0x0', logs: [] }),
    'has the events of another payment': async (hash) => ({
      ...(await receiptOf(earlier)),
      transactionHash: hash,
    }),
    'is another one': () => receiptOf(earlier),
    'is in a block that never comes': async (hash) => ({ ...(await receiptOf(hash)), blockHash: keccak256('0x') }),
    'is unknown': async () => null,
  };
  for (const [name, lie] of Object.entries(lies))
    it(`fails no payment because a node says that its receipt ${name}`, async () => {
      const { rpcUrl, broadcasts } = await watchedNode(async (method, [hash]) =>
        method === 'eth_getTransactionReceipt' ? await lie(hash) : undefined,
      );
      const facilitator: Facilitator = world.facilitatorWith({ rpcUrl, confirmationTimeoutMs: 300 });
      const together = await payTogether({ facilitator, chain: createEvmChain({ rpcUrl, network, log }) });
      assert.deepEqual(new Set(await together.answers()), new Set(['PAYMENT_PENDING']));
      await until('the broadcast', async () => broadcasts.length > 0);
      await together.retry();
      await together.isPaidOnce();
    });
});
