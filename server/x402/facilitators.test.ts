import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { jwtVerify } from 'jose';
import { pad } from 'viem';
import testWallet from '../devnet/test-wallet.json' with { type: 'json' };
import { execute, queryOf, signPayment } from '../../test/support/money/authorizations.ts';
import { FacilitatorDenied, FacilitatorUnavailable, type X402Payment } from '../ports/facilitator.ts';
import { rpcProxy, sendJson, serveHttp, type HttpAnswer } from '../../test/support/servers/http-server.ts';
import { facilitatorOf } from '../../test/support/worlds/batch-world.ts';
import { collect, network, pay, paymentWorld, codeOf } from '../../test/support/worlds/payment-world.ts';
import { facilitatorPayment } from './presented-payment.ts';
import type { PresentedPayment } from '../ports/payments/payments.ts';
import { createRemoteFacilitator } from './remote-facilitator.ts';

const world = await paymentWorld();

describe('the in-process facilitator', async () => {
  const { facilitator, chain } = world.deps;
  const quote = world.quote();
  const signed = async (wallet: Awaited<ReturnType<typeof world.wallet>>, version: 1 | 2) =>
    facilitatorPayment(quote, (await pay(wallet, quote, version)) as PresentedPayment);
  const another = (change: { rpcUrl?: string } = {}) => facilitatorOf(world, change);

  for (const version of [1, 2] as const) {
    it(`proves a v${version} settlement by the receipt that it awaited`, async () => {
      const payer = await world.wallet(250_000);
      const presented = (await pay(payer, quote, version)) as PresentedPayment;
      const { success, transaction, proof } = await facilitator.settle(facilitatorPayment(quote, presented));
      assert.equal(success, true);
      assert.ok(proof);
      assert.deepEqual(await chain.authorization(queryOf(quote, presented)), proof);
      assert.equal(proof.txHash, transaction);
    });

    it(`settles a v${version} payment from where its verification stopped, and broadcasts it once`, async () => {
      const payment = await signed(await world.wallet(500_000), version);
      const block = await chain.blockNumber();
      const { isValid, prepared } = await facilitator.verify(payment);
      assert.equal(isValid, true);
      assert.ok(prepared);
      assert.equal(await chain.blockNumber(), block);
      const { success, proof } = await facilitator.settle(payment, prepared);
      assert.equal(success, true);
      assert.ok(proof);
      assert.equal(proof.txHash, (await facilitator.settle(payment, prepared)).transaction);
      assert.equal(await chain.blockNumber(), block + 1);
    });

    it(`refuses v${version} payments with codes of the protocol, before any broadcast`, async () => {
      const poor = await signed(await world.wallet(1), version);
      const block = await chain.blockNumber();
      assert.deepEqual(await refusalOf(poor), {
        success: false,
        errorReason: 'invalid_exact_evm_insufficient_balance',
        transaction: '',
      });
      assert.equal(await chain.blockNumber(), block);
      const paid = await signed(await world.wallet(500_000), version);
      assert.equal((await facilitator.settle(paid)).success, true);
      assert.deepEqual(await refusalOf(paid), {
        success: false,
        errorReason: 'invalid_exact_evm_nonce_already_used',
        transaction: '',
      });
    });
  }

  const refusalOf = async (payment: Parameters<typeof facilitator.settle>[0]) => {
    const { success, errorReason, transaction } = await facilitator.settle(payment);
    return { success, errorReason, transaction };
  };

  it('settles the payment of a contract wallet (ERC-1271)', async () => {
    const owner = await world.wallet(0);
    const contract = `0x${owner.address.slice(2).split('').toReversed().join('')}` as const;
    await world.rpc('anvil_setCode', [contract, testWallet.runtimeBytecode]);
    await world.rpc('anvil_setStorageAt', [contract, pad('0x0'), pad(owner.account.address)]);
    await world.mintUsdc(contract, 250_000);
    const fresh = world.quote();
    const presented = await signPayment(owner, fresh, { from: contract });
    const wrapped = { ...presented, signature: `0x01${presented.signature.slice(2)}` };
    const { payment } = await collect(world.deps, fresh, wrapped);
    assert.equal(payment.payer, contract);
    assert.deepEqual((await world.checkLedger()).unknownPayments, []);
    const forged = {
      ...(await signPayment(owner, world.quote(), { from: contract })),
      signature: `0x02${'11'.repeat(65)}`,
    };
    await assert.rejects(collect(world.deps, world.quote(), forged), { code: 'PAYMENT_FAILED' });
  });

  it('loses none of 40 concurrent payments of two processes with one key', async () => {
    const payer = await world.wallet(40 * 250_000);
    const payments = await Promise.all(Array.from({ length: 40 }, () => signed(payer, 2)));
    const processes = [another(), another()] as const;
    const answers = await Promise.all(
      payments.map((payment, index) => processes[index % 2 === 0 ? 0 : 1].settle(payment)),
    );
    assert.deepEqual(
      answers.filter(({ success }) => !success),
      [],
    );
    assert.equal(await chain.balanceMicro(payer.address), 0);
  });

  it('has gas for a recipient whose balance falls to zero after the simulation', async () => {
    // As the treasury's does when the refund of a cancelled project leaves while another project is paid for.
    const recipient = await world.wallet(250_000);
    const toRecipient = world.quote({ payTo: recipient.address });
    const presented = (await pay(await world.wallet(500_000), toRecipient)) as PresentedPayment;
    const payment = facilitatorPayment(toRecipient, presented);
    const { prepared } = await facilitator.verify(payment);
    await execute(world.rpc, await signPayment(recipient, quote));
    assert.equal(await chain.balanceMicro(recipient.address), 0);
    const { success, errorReason } = await facilitator.settle(payment, prepared);
    assert.deepEqual([success, errorReason], [true, undefined]);
  });

  it('throws while the node is down, and does not refuse a good payment', async () => {
    const blind = another({ rpcUrl: 'http://127.0.0.1:1' });
    for (const version of [1, 2] as const) {
      const payment = await signed(await world.wallet(250_000), version);
      await assert.rejects(blind.verify(payment), FacilitatorUnavailable);
      await assert.rejects(blind.settle(payment), FacilitatorUnavailable);
    }
  });

  it('reports a failure of the node without its address, which may hold a provider’s key', async () => {
    const blind = another({ rpcUrl: 'http://127.0.0.1:1/v2/canary' });
    const payment = await signed(await world.wallet(250_000), 2);
    for (const asked of await Promise.allSettled([blind.verify(payment), blind.settle(payment)])) {
      const told = inspect(asked, { depth: 10, showHidden: true });
      assert.match(told, /HttpRequestError/);
      assert.doesNotMatch(told, /canary/);
    }
  });

  it('refuses a signature that the library cannot read', async () => {
    const presented = await signPayment(await world.wallet(250_000), quote);
    // The suffix that marks an ERC-6492 signature, after bytes that cannot be decoded.
    const signature = `0x${'ab'.repeat(100)}${'6492'.repeat(16)}`;
    for (const x402Version of [1, 2] as const) {
      const named = x402Version === 1 ? network.v1Name : network.id;
      const forged: PresentedPayment = { ...presented, x402Version, network: named, signature };
      await assert.rejects(collect(world.deps, quote, forged), { code: 'PAYMENT_FAILED' });
    }
  });

  // The limit is 300,000 gas, and half of that below 1 USDC.
  for (const [amountMicro, gas, isPaid] of [
    [999_999, 150_000, true],
    [999_999, 150_001, false],
    [1_000_000, 300_000, true],
    [1_000_000, 300_001, false],
  ] as const) {
    it(`${isPaid ? 'pays' : 'does not pay'} ${gas} gas for ${amountMicro} microdollars`, async () => {
      const sent: string[] = [];
      const rpcUrl = await rpcProxy(world.rpcUrl, ({ id, method }, response) => {
        sent.push(method);
        if (method !== 'eth_estimateGas') return false;
        sendJson(response, 200, { jsonrpc: '2.0', id, result: `0x${gas.toString(16)}` });
        return true;
      });
      for (const version of [1, 2] as const) {
        const payer = await world.wallet(amountMicro);
        const fresh = world.quote({ amountMicro });
        const dear = world.with({ facilitator: another({ rpcUrl }) });
        const paying = collect(dear, fresh, await pay(payer, fresh, version));
        if (isPaid) await paying;
        else await assert.rejects(paying, { code: 'PAYMENT_FAILED' });
        assert.equal(await chain.balanceMicro(payer.address), isPaid ? 0 : amountMicro);
      }
      assert.equal(sent.includes('eth_sendRawTransaction'), isPaid);
    });
  }

  it('throws when the node fails during the settlement: the outcome is unknown', async () => {
    const payment = await signed(await world.wallet(250_000), 2);
    const rpcUrl = await failing(world.rpcUrl, 'eth_sendRawTransaction');
    await assert.rejects(another({ rpcUrl }).settle(payment), FacilitatorUnavailable);
  });

  it('refuses no payment because a node fault made its signature look bad', async () => {
    const world2 = world.with({ facilitator: another({ rpcUrl: await failing(world.rpcUrl, 'eth_getCode') }) });
    const fresh = world.quote();
    const payment = await signPayment(await world.wallet(250_000), fresh);
    await assert.rejects(collect(world2, fresh, payment), { code: 'INTERNAL_ERROR', status: 503 });
  });
});

/** A proxy to the node that answers 502 to one method. */
function failing(target: string, method: string): Promise<string> {
  return rpcProxy(target, (request, response) => {
    if (request.method !== method) return false;
    response.writeHead(502).end();
    return true;
  });
}

const kinds = [
  { x402Version: 2, scheme: 'exact', network: 'eip155:84532' },
  { x402Version: 1, scheme: 'exact', network: 'base-sepolia' },
];

describe('a facilitator over HTTP', async () => {
  const { facilitator } = world.deps;
  const payer = await world.wallet(10_000_000);

  /** Serves the protocol's three endpoints from the real facilitator. */
  const honest: HttpAnswer = async ({ path, body: text }, response) => {
    if (path === '/supported') return sendJson(response, 200, { kinds, extensions: [], signers: {} });
    const body = JSON.parse(text) as Record<string, unknown>;
    const payment = { payload: body['paymentPayload'], requirements: body['paymentRequirements'] } as X402Payment;
    payment.x402Version = body['x402Version'] as 1;
    if (path === '/verify') return sendJson(response, 200, await facilitator.verify(payment));
    const { proof: _, ...settlement } = await facilitator.settle(payment);
    return sendJson(response, 200, { network: network.id, payer: payer.address, ...settlement });
  };

  for (const version of [1, 2] as const) {
    it(`settles a v${version} payment, proven by our own read of the chain`, async () => {
      const remote = createRemoteFacilitator({ url: await serveHttp(honest), network });
      await remote.check();
      const quote = world.quote();
      const { payment } = await collect(world.with({ facilitator: remote }), quote, await pay(payer, quote, version));
      assert.equal(payment.state, 'settled');
      assert.deepEqual((await world.checkLedger()).problems, []);
    });
  }

  it('is believed neither about a settlement nor about a proof', async () => {
    const quote = world.quote();
    const lying: HttpAnswer = ({ path }, response) => {
      if (path === '/verify') return sendJson(response, 200, { isValid: true });
      const transaction = `0x${'77'.repeat(32)}`;
      const proof = { state: 'paid', txHash: transaction, logIndex: 0, blockNumber: 1 };
      return sendJson(response, 200, { success: true, transaction, network: network.id, proof });
    };
    const remote = createRemoteFacilitator({ url: await serveHttp(lying), network });
    const payments = { ...world.deps.payments, waitMs: 200 };
    assert.equal(
      await codeOf(collect(world.with({ facilitator: remote, payments }), quote, await pay(payer, quote))),
      'PAYMENT_PENDING',
    );
    assert.equal((await world.rows(quote.subjectId))[0]?.state, 'settling');
  });

  it('gives refusals with status 400, and no result with 5xx, invalid bodies, or timeouts', async () => {
    const quote = world.quote();
    const payment = facilitatorPayment(quote, (await pay(payer, quote)) as PresentedPayment);
    const refusal: HttpAnswer = ({ path }, response) =>
      path === '/verify'
        ? sendJson(response, 400, { isValid: false, invalidReason: 'insufficient_funds' })
        : sendJson(response, 400, {
            success: false,
            errorReason: 'insufficient_funds',
            transaction: '',
            network: network.id,
          });
    const refusing = createRemoteFacilitator({ url: await serveHttp(refusal), network });
    assert.deepEqual(await refusing.verify(payment), { isValid: false, invalidReason: 'insufficient_funds' });
    assert.deepEqual(await refusing.settle(payment), {
      success: false,
      errorReason: 'insufficient_funds',
      transaction: '',
    });
    const faults: HttpAnswer[] = [
      (_request, response) =>
        sendJson(response, 500, { isValid: false, success: false, transaction: '', network: network.id }),
      (_request, response) => sendJson(response, 503, 'upstream'),
      (_request, response) => response.writeHead(200).end('<html>'),
      (_request, response) => response.destroy(),
      () => {},
    ];
    for (const fault of faults) {
      const remote = createRemoteFacilitator({ url: await serveHttp(fault), network, timeoutMs: 200 });
      await assert.rejects(remote.verify(payment), FacilitatorUnavailable);
      await assert.rejects(remote.settle(payment), FacilitatorUnavailable);
    }
  });

  it('serves clients of both versions, whichever of the two it knows', async () => {
    for (const missing of [0, 1]) {
      const partial: HttpAnswer = async (request, response) => {
        if (request.path === '/supported')
          return sendJson(response, 200, { kinds: kinds.toSpliced(missing, 1), extensions: [], signers: {} });
        assert.equal(JSON.parse(request.body).x402Version, kinds[1 - missing]?.x402Version);
        await honest(request, response);
      };
      const remote = createRemoteFacilitator({ url: await serveHttp(partial), network });
      await remote.check();
      for (const version of [1, 2] as const) {
        const quote = world.quote();
        const { payment } = await collect(world.with({ facilitator: remote }), quote, await pay(payer, quote, version));
        assert.equal(payment.state, 'settled');
      }
    }
  });

  /** Lets requests with this header through, on all paths but `/supported`. */
  const guarded =
    (isAllowed: (authorization: string, path: string) => unknown): HttpAnswer =>
    async (request, response) => {
      const { authorization = '' } = request.headers;
      if (request.path !== '/supported' && !(await isAllowed(authorization, request.path)))
        return sendJson(response, 401, { isValid: false, success: false, transaction: '', network: network.id });
      await honest(request, response);
    };

  it('lets a bearer token in, and is at fault itself for nobody', async () => {
    let wanted = 'Bearer t0ken';
    const url = await serveHttp(guarded((authorization) => authorization === wanted));
    await assert.rejects(createRemoteFacilitator({ url, network }).check(), /answered 401: set FACILITATOR_AUTH/);
    const remote = createRemoteFacilitator({ url, network, auth: { token: 't0ken' } });
    await remote.check();
    const quote = world.quote();
    const deps = world.with({ facilitator: remote });
    const payment = await pay(payer, quote);
    wanted = 'Bearer another';
    const denied = { code: 'INTERNAL_ERROR', status: 503, retryAfterSeconds: 600 };
    await assert.rejects(collect(deps, quote, payment), denied);
    await assert.rejects(remote.check(), FacilitatorDenied);
    wanted = 'Bearer t0ken';
    await remote.check();
    assert.equal((await collect(deps, quote, payment)).payment.state, 'settled');
  });

  it('gets a token of Coinbase’s key for each path', async () => {
    const ed25519 = generateKeyPairSync('ed25519');
    const { d = '', x = '' } = ed25519.privateKey.export({ format: 'jwk' });
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = ec.privateKey.export({ type: 'sec1', format: 'pem' }).toString();
    const halves = Buffer.concat([d, x].map((half) => Buffer.from(half, 'base64url'))).toString('base64');
    for (const [publicKey, keySecret] of [
      [ed25519.publicKey, halves],
      [ec.publicKey, pem.replaceAll('\n', String.raw`\n`)],
    ] as const) {
      const host = await serveHttp(
        guarded(async (authorization, path) => {
          const { payload, protectedHeader } = await jwtVerify(authorization.slice('Bearer '.length), publicKey);
          assert.deepEqual([protectedHeader.kid, payload.sub, payload.iss], ['key-1', 'key-1', 'cdp']);
          assert.deepEqual(payload['uris'], [`POST ${new URL(host).host}${path}`]);
          return true;
        }),
      );
      const remote = createRemoteFacilitator({ url: host, network, auth: { keyId: 'key-1', keySecret } });
      await remote.check();
      const quote = world.quote();
      const { payment } = await collect(world.with({ facilitator: remote }), quote, await pay(payer, quote));
      assert.equal(payment.state, 'settled');
    }
  });

  it('is checked at startup for the network', async () => {
    const elsewhere = kinds.map((kind) => ({ ...kind, network: 'eip155:1' }));
    const foreign: HttpAnswer = (_request, response) =>
      sendJson(response, 200, { kinds: elsewhere, extensions: [], signers: {} });
    const remote = createRemoteFacilitator({ url: await serveHttp(foreign), network });
    await assert.rejects(remote.check(), /does not serve x402/);
    await assert.rejects(
      createRemoteFacilitator({ url: 'http://127.0.0.1:1', network }).check(),
      FacilitatorUnavailable,
    );
  });
});
