import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import pino from 'pino';
import { type Hex, pad, toHex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import {
  cancel,
  execute,
  now,
  queryOf,
  signPayment,
  useWithoutEvent,
} from '../../test/support/money/authorizations.ts';
import { contractWallet, futureWallet, wrapped } from '../../test/support/money/contract-wallets.ts';
import { ChainUnavailable } from './types.ts';
import { createEvmChain } from './evm-chain.ts';
import { rpcProxy, sendJson, serveHttp } from '../../test/support/servers/http-server.ts';
import { network, paymentWorld } from '../../test/support/worlds/payment-world.ts';

const log = pino({ level: 'silent' });
const world = await paymentWorld();

it('tells for how long the node has not answered; a gateway does not answer for it', async () => {
  let status = 200;
  const rpcUrl = await serveHttp((_, response) => {
    sendJson(response, status, { jsonrpc: '2.0', id: 1, result: '0x1' });
  });
  const slow = createEvmChain({ rpcUrl, network, log });
  assert.equal(slow.silentMs(), 0);
  status = 502;
  await assert.rejects(slow.blockNumber(), ChainUnavailable);
  const before = slow.silentMs();
  assert.ok(before > 0);
  await assert.rejects(slow.blockNumber(), ChainUnavailable);
  assert.ok(slow.silentMs() > before);
  status = 200;
  await slow.blockNumber();
  assert.equal(slow.silentMs(), 0);
});

it('is down while its newest block is older than a minute, unless blocks are made on demand', async () => {
  const block = (await world.rpc('eth_getBlockByNumber', ['latest', false])) as { timestamp: Hex };
  const rpcUrl = await rpcProxy(world.rpcUrl, ({ id, method, params }, response) => {
    const isNewest = method === 'eth_getBlockByNumber' && params[0] === 'latest';
    if (isNewest) sendJson(response, 200, { jsonrpc: '2.0', id, result: block });
    return isNewest;
  });
  const chain = createEvmChain({ rpcUrl, network, log, clock: { now: () => new Date() } });
  // A node that catches up has new blocks all the time.
  for (const seconds of [3_600, 61]) {
    block.timestamp = toHex(now() - seconds);
    await assert.rejects(chain.check(), ChainUnavailable);
  }
  await createEvmChain({ rpcUrl, network, log }).check();
  block.timestamp = toHex(now() - 50);
  await chain.check();
});

describe('the chain', async () => {
  const { chain } = world.deps;
  const quote = world.quote();
  const payer = await world.wallet(10_000_000);

  it('proves a payment by the transfer directly after its AuthorizationUsed, also in a batch', async () => {
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
    // Its own transfer went to another address, although transfers of the same payer to the treasury follow in the
    // receipt.
    assert.deepEqual(await chain.authorization(queryOf(quote, other)), { state: 'dead' });
    assert.deepEqual(await chain.transaction(txHash, queryOf(quote, other)), { state: 'none' });
  });

  it('accepts neither a wrong amount nor a cancelled authorization as a payment', async () => {
    const short = await signPayment(payer, quote, { value: quote.amountMicro - 1 });
    await execute(world.rpc, short);
    assert.deepEqual(await chain.authorization(queryOf(quote, short)), { state: 'dead' });
    const cancelled = await signPayment(payer, quote);
    await cancel(world.rpc, payer, cancelled.authorization.nonce);
    assert.deepEqual(await chain.authorization(queryOf(quote, cancelled)), { state: 'dead' });
  });

  it('reports a nonce that was used without an event as foreign', async () => {
    const payment = await signPayment(payer, quote);
    await useWithoutEvent(world.rpc, payer.address, payment.authorization.nonce);
    assert.deepEqual(await chain.authorization(queryOf(quote, payment)), { state: 'foreign' });
  });

  it('reports none for an unknown transaction and for one without the transfer', async () => {
    const payment = await signPayment(payer, quote);
    const other = await signPayment(payer, quote);
    const txHash = await execute(world.rpc, other);
    assert.deepEqual(await chain.transaction(txHash, queryOf(quote, payment)), { state: 'none' });
    assert.deepEqual(await chain.transaction(`0x${'ab'.repeat(32)}`, queryOf(quote, payment)), { state: 'none' });
  });

  it('reports an authorization as dead only after a final block has passed its end', async () => {
    const payment = await signPayment(payer, quote, { validBefore: now() + 300 });
    assert.deepEqual(await chain.authorization(queryOf(quote, payment)), { state: 'open' });
    await world.pass(200);
    assert.deepEqual(await chain.authorization(queryOf(quote, payment)), { state: 'open' });
    await world.pass(200);
    assert.deepEqual(await chain.authorization(queryOf(quote, payment)), { state: 'dead' });
  });

  it('uses a block some depth below the latest if the node does not know the tag "safe"', async () => {
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

  it('needs no state of old blocks, which nodes without an archive discard', async () => {
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

  it('logs the failure of a node without its URL, which contains the provider’s key', async () => {
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
        const text = inspect(error, { depth: 10, showHidden: true });
        assert.match(text, expected);
        assert.doesNotMatch(text, /canary/);
      }
    }
  });

  it('throws ChainUnavailable if the node is down, and after its timeout if the node hangs', async () => {
    const gone = createEvmChain({ rpcUrl: 'http://127.0.0.1:1', network, log });
    const payment = await signPayment(payer, quote);
    await assert.rejects(gone.authorization(queryOf(quote, payment)), ChainUnavailable);
    await assert.rejects(gone.balanceMicro(payer.address), ChainUnavailable);
    const silent = await serveHttp(() => {});
    const neverEnding = await serveHttp((_request, response) => void response.write('{'));
    // It takes connections, and never answers the handshake.
    const taken = new Set<Socket>();
    const withoutTls = createServer((socket) => taken.add(socket)).listen(0, '127.0.0.1');
    await once(withoutTls, 'listening');
    const connecting = `https://127.0.0.1:${(withoutTls.address() as AddressInfo).port}`;
    for (const rpcUrl of [silent, neverEnding, connecting]) {
      const slow = createEvmChain({ rpcUrl, network, log, timeoutMs: 50 });
      const asked = slow.transaction(`0x${'ab'.repeat(32)}`, queryOf(quote, payment));
      await assert.rejects(asked, (error: unknown) => {
        assert.ok(error instanceof ChainUnavailable);
        assert.match(String(error.cause), /TimeoutError/);
        return true;
      });
    }
    withoutTls.close();
    for (const socket of taken) socket.destroy();
  });
});

const message = 'Link this wallet.\n\nNonce: 1';

describe('a signed message', async () => {
  const { chain } = world.deps;
  const owner = privateKeyToAccount(generatePrivateKey());
  const stranger = privateKeyToAccount(generatePrivateKey());

  it('is verified by the key of its address, without a node', async () => {
    const offline = createEvmChain({ rpcUrl: 'http://127.0.0.1:1', network, log });
    const signature = await owner.signMessage({ message });
    assert.equal(await offline.verifyMessage({ address: owner.address.toLowerCase(), message, signature }), true);
    for (const signed of [
      { address: stranger.address.toLowerCase(), message, signature },
      { address: owner.address.toLowerCase(), message: `${message} `, signature },
      { address: owner.address.toLowerCase(), message, signature: signature.replace(/..$/, '02') },
      { address: owner.address.toLowerCase(), message, signature: '0x' },
      { address: owner.address.toLowerCase(), message, signature: `0x${'00'.repeat(65)}` },
      { address: owner.address.toLowerCase(), message, signature: `0x${'ff'.repeat(3000)}` },
    ])
      assert.equal(await chain.verifyMessage(signed), false);
  });

  it('is verified by the contract at its address', async () => {
    const address = await contractWallet(world.rpc, owner.address);
    const signature = wrapped(await owner.signMessage({ message }));
    assert.equal(await chain.verifyMessage({ address, message, signature }), true);
    assert.equal(await chain.verifyMessage({ address, message: `${message}2`, signature }), false);
    const foreign = wrapped(await stranger.signMessage({ message }));
    assert.equal(await chain.verifyMessage({ address, message, signature: foreign }), false);
    const unwrapped = await owner.signMessage({ message });
    assert.equal(await chain.verifyMessage({ address, message, signature: unwrapped }), false);
  });

  it('is verified by a contract that is not deployed yet, without deploying it', async () => {
    const wallet = futureWallet(owner.address, pad('0x01'));
    const address = wallet.address.toLowerCase();
    const sign = async (by: typeof owner) => wallet.sign(await by.signMessage({ message }));
    assert.equal(await chain.verifyMessage({ address, message, signature: await sign(owner) }), true);
    assert.equal(await world.rpc('eth_getCode', [address, 'latest']), '0x');
    assert.equal(await chain.verifyMessage({ address, message, signature: await sign(stranger) }), false);
    // Another person's counterfactual wallet must not verify a message of this address.
    const another = owner.address.toLowerCase();
    assert.equal(await chain.verifyMessage({ address: another, message, signature: await sign(owner) }), false);
  });

  const hostile = {
    'returns 1 instead of the expected value': '0x600160005260206000f3',
    'returns nothing': '0x60006000f3',
    'returns the expected value without its padding': `0x631626ba7e60e01b60005260046000f3`,
    reverts: '0x60006000fd',
    'uses all the gas': '0x5b600056',
    'returns more data than the gas pays for': '0x63ffffffff6000f3',
  };
  for (const [what, code] of Object.entries(hostile)) {
    it(`is not verified by a contract that ${what}`, async () => {
      const address = `0x${'c0de'.repeat(10)}`;
      await world.rpc('anvil_setCode', [address, code]);
      const signature = wrapped(await owner.signMessage({ message }));
      assert.equal(await chain.verifyMessage({ address, message, signature }), false);
    });
  }

  it('throws, instead of returning false, while the node does not respond', async () => {
    const address = await contractWallet(world.rpc, owner.address);
    const signed = { address, message, signature: wrapped(await owner.signMessage({ message })) };
    const limited = await rpcProxy(world.rpcUrl, ({ id }, response) => {
      sendJson(response, 200, { jsonrpc: '2.0', id, error: { code: -32_005, message: 'limit exceeded' } });
      return true;
    });
    const broken = await serveHttp((_request, response) => void response.writeHead(502).end('bad gateway'));
    const hanging = await serveHttp(() => {});
    for (const rpcUrl of ['http://127.0.0.1:1', limited, broken, hanging]) {
      const sick = createEvmChain({ rpcUrl, network, log, timeoutMs: 100 });
      await assert.rejects(sick.verifyMessage(signed), ChainUnavailable, rpcUrl);
    }
  });
});
