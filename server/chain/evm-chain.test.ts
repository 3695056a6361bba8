import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import pino from 'pino';
import {
  cancel,
  execute,
  now,
  queryOf,
  signPayment,
  useWithoutEvent,
} from '../../test/support/clients/authorizations.ts';
import { ChainUnavailable } from '../ports/chain.ts';
import { createEvmChain } from './evm-chain.ts';
import { rpcProxy, sendJson, serveHttp } from '../../test/support/servers/http-server.ts';
import { network, paymentWorld } from '../../test/support/worlds/payment-world.ts';

const log = pino({ level: 'silent' });

describe('the chain', async () => {
  const world = await paymentWorld();
  const { chain } = world.deps;
  const quote = world.quote();
  const payer = await world.wallet(10_000_000);

  it('says open of an authorization that nobody used', async () => {
    assert.deepEqual(await chain.authorization(queryOf(quote, await signPayment(payer, quote))), { state: 'open' });
  });

  it('proves a payment by the transfer right behind its AuthorizationUsed, in a batch too', async () => {
    const elsewhere = world.quote({ payTo: (await world.wallet(0)).address });
    const [other, first, second] = await Promise.all([
      signPayment(payer, elsewhere),
      signPayment(payer, quote),
      signPayment(payer, quote),
    ]);
    const txHash = await execute(world.rpc, other, first, second);
    const found = await Promise.all([first, second].map((payment) => chain.authorization(queryOf(quote, payment))));
    assert.deepEqual(
      found.map((state) => state.state),
      ['paid', 'paid'],
    );
    const logs = found.map((state) => (state.state === 'paid' ? state.logIndex : -1));
    assert.equal(new Set(logs).size, 2);
    assert.deepEqual(await chain.transaction(txHash, queryOf(quote, first)), found[0]);
    // Its transfer went to somebody else, although transfers of the same payer to us follow in the same receipt.
    assert.deepEqual(await chain.authorization(queryOf(quote, other)), { state: 'dead' });
    assert.deepEqual(await chain.transaction(txHash, queryOf(quote, other)), { state: 'none' });
  });

  it('finds the transfer however far it lies from the first block of the search', async () => {
    const narrow = createEvmChain({ rpcUrl: world.rpcUrl, network, log, logRangeBlocks: 2 });
    const payment = await signPayment(payer, quote);
    await world.mine();
    await execute(world.rpc, payment);
    await world.mine();
    assert.equal((await narrow.authorization(queryOf(quote, payment))).state, 'paid');
  });

  it('takes neither a wrong amount nor a cancelled authorization for a payment', async () => {
    const short = await signPayment(payer, quote, { value: quote.amountMicro - 1 });
    await execute(world.rpc, short);
    assert.deepEqual(await chain.authorization(queryOf(quote, short)), { state: 'dead' });
    const cancelled = await signPayment(payer, quote);
    await cancel(world.rpc, payer, cancelled.authorization.nonce);
    assert.deepEqual(await chain.authorization(queryOf(quote, cancelled)), { state: 'dead' });
  });

  it('guesses nothing of a nonce that is used up without an event', async () => {
    const payment = await signPayment(payer, quote);
    await useWithoutEvent(world.rpc, payer.address, payment.authorization.nonce);
    assert.deepEqual(await chain.authorization(queryOf(quote, payment)), { state: 'foreign' });
  });

  it('says none of a transaction that is unknown or another', async () => {
    const payment = await signPayment(payer, quote);
    const other = await signPayment(payer, quote);
    const txHash = await execute(world.rpc, other);
    assert.deepEqual(await chain.transaction(txHash, queryOf(quote, payment)), { state: 'none' });
    assert.deepEqual(await chain.transaction(`0x${'ab'.repeat(32)}`, queryOf(quote, payment)), { state: 'none' });
  });

  it('lists every transfer to an address, in several requests where it must', async () => {
    const narrow = createEvmChain({ rpcUrl: world.rpcUrl, network, log, logRangeBlocks: 1 });
    const latest = await chain.blockNumber();
    const transfers = await narrow.transfersOf(world.payTo, 0, latest);
    assert.deepEqual(transfers, await chain.transfersOf(world.payTo, 0, latest));
    const sum = transfers.reduce((total, { amountMicro }) => total + amountMicro, 0);
    assert.equal(await chain.balanceMicro(world.payTo, latest), sum);
    assert.ok(transfers.every(({ from }) => from === payer.address));
  });

  it('calls an authorization dead only when a final block is past its end', async () => {
    const payment = await signPayment(payer, quote, { validBefore: now() + 300 });
    await world.pass(200);
    assert.deepEqual(await chain.authorization(queryOf(quote, payment)), { state: 'open' });
    await world.pass(200);
    assert.deepEqual(await chain.authorization(queryOf(quote, payment)), { state: 'dead' });
  });

  it('looks some blocks back where the node does not know the tag "safe"', async () => {
    const rpcUrl = await rpcProxy(world.rpcUrl, ({ id, params }, response) => {
      if (params?.[0] !== 'safe') return false;
      sendJson(response, 200, { jsonrpc: '2.0', id, error: { code: -32602, message: 'invalid block tag' } });
      return true;
    });
    const payment = await signPayment(payer, quote, { validBefore: now() + 100 });
    const near = createEvmChain({ rpcUrl, network, log, safeDepth: 0 });
    assert.deepEqual(await near.authorization(queryOf(quote, payment)), { state: 'dead' });
    const far = createEvmChain({ rpcUrl, network, log, safeDepth: 1000 });
    assert.deepEqual(await far.authorization(queryOf(quote, payment)), { state: 'open' });
  });

  it('needs no state of old blocks, which nodes without an archive forget', async () => {
    const payment = await signPayment(payer, quote, { validBefore: now() + 700 });
    await world.pass(800);
    for (let blocks = 0; blocks < 3; blocks += 1) await world.mine();
    const latest = await chain.blockNumber();
    const rpcUrl = await rpcProxy(world.rpcUrl, ({ id, method, params }, response) => {
      if (method === 'eth_getBlockByNumber' && params[0] === 'safe') {
        void world
          .rpc('eth_getBlockByNumber', [`0x${(latest - 2).toString(16)}`, false])
          .then((result) => sendJson(response, 200, { jsonrpc: '2.0', id, result }));
        return true;
      }
      if (method !== 'eth_call' || params[1] === 'latest' || Number(params[1]) >= latest) return false;
      sendJson(response, 200, { jsonrpc: '2.0', id, error: { code: -32000, message: 'missing trie node' } });
      return true;
    });
    const forgetful = createEvmChain({ rpcUrl, network, log });
    assert.deepEqual(await forgetful.authorization(queryOf(quote, payment)), { state: 'dead' });
  });

  it('reads a hundred balances in one request', async () => {
    let requests = 0;
    const rpcUrl = await rpcProxy(world.rpcUrl, () => {
      requests += 1;
      return false;
    });
    const counted = createEvmChain({ rpcUrl, network, log });
    const addresses = Array.from({ length: 100 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, '0')}`);
    const balances = await Promise.all(addresses.map((address) => counted.balanceMicro(address)));
    assert.equal(balances.length, 100);
    assert.equal(requests, 1);
  });

  it('says what a node failed at without its address, which holds a provider’s key', async () => {
    const query = queryOf(quote, await signPayment(payer, quote));
    const refusing = `${await serveHttp((_request, response) => void response.writeHead(401).end('{}'))}/v2/canary`;
    for (const [rpcUrl, expected] of [
      ['http://127.0.0.1:1/v2/canary', /HttpRequestError/],
      [refusing, /401/],
    ] as const) {
      const sick = createEvmChain({ rpcUrl, network, log });
      const asks = [sick.authorization(query), sick.balanceMicro(payer.address), sick.blockNumber()];
      for (const asked of await Promise.allSettled(asks)) {
        const error: unknown = asked.status === 'rejected' ? asked.reason : null;
        const told = inspect(error, { depth: 10, showHidden: true });
        assert.match(told, expected);
        assert.doesNotMatch(told, /canary/);
      }
    }
  });

  it('throws ChainUnavailable when the node is gone, within its timeout when it hangs', async () => {
    const gone = createEvmChain({ rpcUrl: 'http://127.0.0.1:1', network, log });
    const payment = await signPayment(payer, quote);
    await assert.rejects(gone.authorization(queryOf(quote, payment)), ChainUnavailable);
    await assert.rejects(gone.balanceMicro(payer.address), ChainUnavailable);
    const hanging = await serveHttp(() => {});
    const slow = createEvmChain({ rpcUrl: hanging, network, log, timeoutMs: 50 });
    await assert.rejects(slow.transaction(`0x${'ab'.repeat(32)}`, queryOf(quote, payment)), ChainUnavailable);
  });
});
