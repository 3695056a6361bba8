import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { jwtVerify } from 'jose';
import { FacilitatorDenied, FacilitatorUnavailable, type X402Payment } from './types.ts';
import { sendJson, serveHttp, type HttpAnswer } from '../../test/support/servers/http-server.ts';
import { collect, network, pay, paymentWorld, codeOf } from '../../test/support/worlds/payment-world.ts';
import { facilitatorPayment } from './presented-payment.ts';
import type { PresentedPayment } from '../payments/types.ts';
import { createRemoteFacilitator } from './remote-facilitator.ts';

const world = await paymentWorld();

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
    const puzzled: HttpAnswer = (_request, response) =>
      sendJson(response, 200, { isValid: false, invalidReason: 'unexpected_verify_error' });
    const unsure = createRemoteFacilitator({ url: await serveHttp(puzzled), network });
    await assert.rejects(unsure.verify(payment), FacilitatorUnavailable);
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
    assert.deepEqual((await world.checkLedger()).problems, []);
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
    assert.deepEqual(world.alerts.splice(0), ['facilitator_denied']);
    await assert.rejects(remote.check(), FacilitatorDenied);
    wanted = 'Bearer t0ken';
    await remote.check();
    assert.equal((await collect(deps, quote, payment)).payment.state, 'settled');
  });

  it('gets a token of Coinbase’s key for each path', async () => {
    const ed25519 = generateKeyPairSync('ed25519');
    const { d = '', x = '' } = ed25519.privateKey.export({ format: 'jwk' });
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = ec.privateKey.export({ type: 'sec1', format: 'pem' });
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
      const remote = createRemoteFacilitator({
        url: host,
        network,
        auth: { keyId: 'key-1', keySecret, newNonce: randomUUIDv7 },
      });
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
