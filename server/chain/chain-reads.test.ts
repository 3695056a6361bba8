import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { encodeErrorResult, pad, parseAbi, toHex, type Hex, type Log, type TransactionReceipt } from 'viem';
import { sendJson, serveHttp } from '../../test/support/servers/http-server.ts';
import { createBalances } from './balances.ts';
import { networks } from './networks.ts';
import { MULTICALL3, nodeClient } from './node-client.ts';
import { TRANSFER_TOPIC, USED_TOPIC, CANCELED_TOPIC, paidTransfer, usedAuthorizations } from './usdc-events.ts';

const ADDRESS: Hex = `0x${'ab'.repeat(20)}`;

function world() {
  const state = { now: 0, balanceMicro: 100, up: true, reads: 0, hangs: null as Promise<void> | null };
  const chain = {
    async balanceMicro() {
      state.reads += 1;
      const { balanceMicro, up } = state;
      await (state.hangs ?? Promise.resolve());
      if (!up) throw new Error('down');
      return balanceMicro;
    },
  };
  return { state, balances: createBalances(chain, { now: () => new Date(state.now) }) };
}

it('a contract cannot make the service ask an address of its choice', async () => {
  let asked = 0;
  const inner = await serveHttp((_, response) => {
    asked += 1;
    sendJson(response, 200, { data: '0x' });
  });
  const data = encodeErrorResult({
    abi: parseAbi(['error OffchainLookup(address, string[], bytes, bytes4, bytes)']),
    args: [ADDRESS, [`${inner}/{data}`], '0x12', '0x12345678', '0x'],
  });
  const rpcUrl = await serveHttp(({ body }, response) => {
    const { id } = JSON.parse(body) as { id: number };
    sendJson(response, 200, { jsonrpc: '2.0', id, error: { code: 3, message: 'execution reverted', data } });
  });
  const client = nodeClient({ network: networks['eip155:84532'], rpcUrl, retryCount: 0 });
  await assert.rejects(client.call({ to: ADDRESS, data: '0x1626ba7e' }), /revert/);
  assert.equal(asked, 0);
});

describe('balances', () => {
  it('sends one request for concurrent readers, and the next one after 30 s', async () => {
    const { state, balances } = world();
    const shown = await Promise.all(Array.from({ length: 20 }, () => balances.balance(ADDRESS)));
    assert.deepEqual(shown[19], { balanceMicro: 100, stale: false });
    state.now = 29_999;
    await balances.balance(ADDRESS);
    assert.equal(state.reads, 1);
    state.now = 30_000;
    state.balanceMicro = 200;
    assert.deepEqual(await balances.balance(ADDRESS), { balanceMicro: 200, stale: false });
    assert.equal(state.reads, 2);
  });

  it('returns the last balance as stale while the chain is down, and null if there is none', async () => {
    const { state, balances } = world();
    state.up = false;
    assert.deepEqual(await balances.balance(ADDRESS), { balanceMicro: null, stale: true });
    state.up = true;
    assert.deepEqual(await balances.balance(ADDRESS), { balanceMicro: 100, stale: false });
    state.now = 30_000;
    state.up = false;
    assert.deepEqual(await balances.balance(ADDRESS), { balanceMicro: 100, stale: true });
    state.up = true;
    assert.deepEqual(await balances.balance(ADDRESS), { balanceMicro: 100, stale: false });
  });

  it('does not wait for a chain that hangs: 1 s for the first reader, nothing for the others', async (context) => {
    const { state, balances } = world();
    await balances.balance(ADDRESS);
    state.now = 30_000;
    const { promise, resolve } = Promise.withResolvers<void>();
    state.hangs = promise;
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const [first, second] = [balances.balance(ADDRESS), balances.balance(ADDRESS)];
    context.mock.timers.tick(999);
    assert.equal(await Promise.race([first, new Promise((tell) => setImmediate(tell, 'waiting'))]), 'waiting');
    context.mock.timers.tick(1);
    for (const shown of [await first, await second, await balances.balance(ADDRESS)])
      assert.deepEqual(shown, { balanceMicro: 100, stale: true });
    assert.equal(state.reads, 2);
    state.balanceMicro = 200;
    state.hangs = null;
    resolve();
    await new Promise((tell) => setImmediate(tell));
    // The reading that hung has ended and is fresh.
    assert.deepEqual(await balances.balance(ADDRESS), { balanceMicro: 100, stale: false });
    state.now = 60_000;
    assert.deepEqual(await balances.balance(ADDRESS), { balanceMicro: 200, stale: false });
  });
});

const USDC = `0x${'c'.repeat(40)}` as const;
const FOREIGN = `0x${'f'.repeat(40)}` as const;
const address = (number: number): Hex => toHex(number + 1, { size: 20 });
const nonceOf = (number: number): Hex => toHex(number + 1, { size: 32 });

type Event =
  | { kind: 'pair'; payer: number; nonce: number; payTo: number; amountMicro: number }
  /** A transfer of the same token that belongs to no authorization. */
  | { kind: 'transfer'; payer: number; payTo: number; amountMicro: number }
  | { kind: 'used' | 'canceled'; payer: number; nonce: number }
  /** The same events, of another contract. */
  | { kind: 'foreign'; payer: number; nonce: number; payTo: number; amountMicro: number };

const small = { payer: fc.nat(3), payTo: fc.nat(2), amountMicro: fc.integer({ min: 1, max: 3 }) };
const event = (nonce: number): fc.Arbitrary<Event> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('pair' as const), nonce: fc.constant(nonce), ...small }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('transfer' as const), ...small }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constantFrom('used', 'canceled'),
        payer: small.payer,
        nonce: fc.constant(nonce),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('foreign' as const), nonce: fc.constant(nonce), ...small }) },
  );
/** Up to 100 authorizations in one transaction. No nonce is used twice, as the token guarantees. */
const batch = fc
  .integer({ min: 1, max: 100 })
  .chain((size) => fc.tuple(...Array.from({ length: size }, (_, nonce) => event(nonce))));

function receiptOf(events: Event[]): { receipt: TransactionReceipt; transferOf: Map<number, number> } {
  const logs: Partial<Log>[] = [];
  const transferOf = new Map<number, number>();
  const add = (contract: Hex, topics: Hex[], data: Hex = '0x') =>
    logs.push({ address: contract, topics: topics as [Hex, ...Hex[]], data, logIndex: 1_000 + logs.length });
  for (const each of events) {
    const contract = each.kind === 'foreign' ? FOREIGN : USDC;
    if ('nonce' in each) {
      const topic = each.kind === 'canceled' ? CANCELED_TOPIC : USED_TOPIC;
      add(contract, [topic, pad(address(each.payer)), nonceOf(each.nonce)]);
    }
    if (!('amountMicro' in each)) continue;
    if (each.kind === 'pair') transferOf.set(each.nonce, 1_000 + logs.length);
    const topics = [TRANSFER_TOPIC, pad(address(each.payer)), pad(address(each.payTo))];
    add(contract, topics, toHex(each.amountMicro, { size: 32 }));
  }
  const receipt = { status: 'success', transactionHash: nonceOf(0), blockNumber: 7n, logs };
  return { receipt: receipt as unknown as TransactionReceipt, transferOf };
}

describe('the proof of a payment', () => {
  it('is the transfer of its own authorization, in receipts of up to 100 with others in between', () => {
    fc.assert(
      fc.property(batch, (events) => {
        const { receipt, transferOf } = receiptOf(events);
        const found = new Set<number>();
        for (const each of events) {
          if (each.kind !== 'pair') continue;
          const { payTo, amountMicro } = each;
          const query = { payer: address(each.payer), nonce: nonceOf(each.nonce), payTo: address(payTo), amountMicro };
          const proof = paidTransfer(receipt, USDC, query);
          assert.equal(proof?.logIndex, transferOf.get(each.nonce));
          found.add(proof?.logIndex ?? -1);
          // The same authorization proves no other amount, recipient, or payer.
          assert.equal(paidTransfer(receipt, USDC, { ...query, amountMicro: amountMicro + 1 }), null);
          assert.equal(paidTransfer(receipt, USDC, { ...query, payTo: address(9) }), null);
          assert.equal(paidTransfer(receipt, USDC, { ...query, payer: address(9) }), null);
        }
        assert.equal(found.size, transferOf.size);
      }),
      { numRuns: 100 },
    );
  });

  it('is none for a nonce that was canceled, or used without a transfer, or in another contract', () => {
    const pair = { kind: 'pair', payer: 1, nonce: 1, payTo: 0, amountMicro: 5 } as const;
    const query = { payer: address(1), nonce: nonceOf(0), payTo: address(0), amountMicro: 5 };
    for (const kind of ['used', 'canceled'] as const) {
      const { receipt } = receiptOf([{ kind, payer: 1, nonce: 0 }, pair]);
      assert.equal(paidTransfer(receipt, USDC, query), null, kind);
    }
    const { receipt } = receiptOf([{ kind: 'foreign', payer: 1, nonce: 0, payTo: 0, amountMicro: 5 }, pair]);
    assert.equal(paidTransfer(receipt, USDC, query), null);
    const reverted = { ...receiptOf([{ ...pair, nonce: 0 }]).receipt, status: 'reverted' } as TransactionReceipt;
    assert.equal(paidTransfer(reverted, USDC, query), null);
  });

  it('is that of its own payer, if two payers chose the same nonce', () => {
    const pair = { kind: 'pair', nonce: 0, payTo: 0, amountMicro: 5 } as const;
    const query = (payer: number) => ({ payer: address(payer), nonce: nonceOf(0), payTo: address(0), amountMicro: 5 });
    const { receipt } = receiptOf([
      { ...pair, payer: 1 },
      { ...pair, payer: 2 },
    ]);
    assert.equal(paidTransfer(receipt, USDC, query(1))?.logIndex, 1_001);
    assert.equal(paidTransfer(receipt, USDC, query(2))?.logIndex, 1_003);
    const used = { kind: 'used', payer: 1, nonce: 0 } as const;
    const byAnother = receiptOf([used, { kind: 'transfer', payer: 2, payTo: 0, amountMicro: 5 }]);
    assert.equal(paidTransfer(byAnother.receipt, USDC, query(1)), null);
  });

  it('has a sender only if USDC or the batch contract was called: a factory passes on what others signed', () => {
    const { receipt } = receiptOf([{ kind: 'pair', payer: 1, nonce: 0, payTo: 0, amountMicro: 5 }]);
    const senders = [USDC, MULTICALL3.toUpperCase().replace('0X', '0x'), FOREIGN, null].map((to) => {
      const [used] = usedAuthorizations({ ...receipt, from: address(7), to: to as Hex | null }, USDC);
      assert.equal(used?.nonce, nonceOf(0));
      return used.sender;
    });
    assert.deepEqual(senders, [address(7), address(7), null, null]);
  });
});
