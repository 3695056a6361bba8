import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FacilitatorUnavailable, type X402Payment } from '../ports/facilitator.ts';
import { sendJson, serveHttp, type HttpAnswer } from '../../test/support/servers/http-server.ts';
import { until } from '../../test/support/processes/processes.ts';
import { codeOf, collect, network, pay, paymentWorld } from '../../test/support/worlds/payment-world.ts';
import { facilitatorPayment } from './presented-payment.ts';
import { createRemoteFacilitator } from './remote-facilitator.ts';
import type { PresentedPayment } from '../ports/payments/payments.ts';

const kinds = [
  { x402Version: 2, scheme: 'exact', network: 'eip155:84532' },
  { x402Version: 1, scheme: 'exact', network: 'base-sepolia' },
];

describe('a facilitator over HTTP', async () => {
  const world = await paymentWorld();
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

  it('gets at most 32 verifications and 32 settlements at once, and all of them in the end', async () => {
    const held = new Map<string, number>();
    const most = new Map<string, number>();
    const released = Promise.withResolvers<void>();
    const slow: HttpAnswer = async ({ path }, response) => {
      if (path === '/supported') return sendJson(response, 200, { kinds, extensions: [], signers: {} });
      const now = (held.get(path) ?? 0) + 1;
      held.set(path, now);
      most.set(path, Math.max(most.get(path) ?? 0, now));
      await released.promise;
      held.set(path, (held.get(path) ?? 0) - 1);
      const transaction = `0x${'77'.repeat(32)}`;
      sendJson(response, 200, { isValid: true, success: true, transaction, network: network.id });
    };
    const remote = createRemoteFacilitator({ url: await serveHttp(slow), network, timeoutMs: 60_000 });
    const quote = world.quote();
    const payment = facilitatorPayment(quote, (await pay(payer, quote)) as PresentedPayment);
    const verifying = Array.from({ length: 50 }, () => remote.verify(payment));
    const settling = Array.from({ length: 50 }, () => remote.settle(payment));
    await until('the requests', async () => held.get('/verify') === 32 && held.get('/settle') === 32);
    // A request that was sent together with the others is there by now.
    for (let asked = 0; asked < 3; asked += 1) await remote.check();
    released.resolve();
    assert.ok((await Promise.all(verifying)).every(({ isValid }) => isValid));
    assert.ok((await Promise.all(settling)).every(({ success }) => success));
    assert.deepEqual([most.get('/verify'), most.get('/settle')], [32, 32]);
  });

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

  it('is checked at startup for the network and for both generations', async () => {
    for (const missing of [0, 1]) {
      const partial: HttpAnswer = (_request, response) =>
        sendJson(response, 200, { kinds: kinds.toSpliced(missing, 1), extensions: [], signers: {} });
      const remote = createRemoteFacilitator({ url: await serveHttp(partial), network });
      await assert.rejects(remote.check(), /does not serve x402 v/);
    }
    await assert.rejects(
      createRemoteFacilitator({ url: 'http://127.0.0.1:1', network }).check(),
      FacilitatorUnavailable,
    );
  });
});
