import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChainWait } from './await-outcome.ts';
import { DomainError, validationError } from '../../contract/basics/errors.ts';
import { cancel, execute, now, signPayment } from '../../test/support/money/authorizations.ts';
import { ChainUnavailable } from '../chain/types.ts';
import { codeOf, collect, pay, paymentWorld } from '../../test/support/worlds/payment-world.ts';
import { PaymentRefused } from '../x402/payment-refused.ts';
import type { PaymentInRequest, PresentedPayment } from './types.ts';

const LOOK_MS = 5;

/** A node that has been silent for these times, one after the other; the last one stays. */
function nodeThat(...silent: number[]) {
  let looks = 0;
  return { silentMs: () => silent[Math.min(looks++, silent.length - 1)] ?? 0, looks: () => looks };
}

async function untilLooked(node: { looks(): number }, times: number): Promise<void> {
  while (node.looks() < times) await sleep(LOOK_MS);
}

describe('the wait for a payment', () => {
  it('ends early when the node stays silent', async () => {
    const node = nodeThat(0, 1_900, 2_500);
    const wait = startChainWait(60_000, node, LOOK_MS);
    assert.equal(await wait.over, 'over');
    assert.ok(wait.signal.aborted);
    assert.equal(node.looks(), 4);
    wait.end();
  });

  it('goes on with a node that answers in between, and looks no more once it has ended', async () => {
    const node = nodeThat(2_500, 0, 2_500, 0);
    const wait = startChainWait(60_000, node, LOOK_MS);
    await untilLooked(node, 6);
    assert.equal(wait.signal.aborted, false);
    wait.end();
    const looks = node.looks();
    await sleep(4 * LOOK_MS);
    assert.equal(node.looks(), looks);
  });
});

describe('collectPayment', async () => {
  const world = await paymentWorld();
  const { deps } = world;

  for (const version of [1, 2] as const) {
    it(`takes an x402 v${version} payment once, books it, and never charges for a paid subject`, async () => {
      const termsHash = `sha256:${'ab'.repeat(32)}`;
      const quote = world.quote({ termsHash });
      const payer = await world.wallet(1_000_000);
      assert.equal((await deps.balances.balance(payer.address)).balanceMicro, 1_000_000);
      const { payment, receipt } = await collect(deps, quote, await pay(payer, quote, version));
      assert.equal(payment.state, 'settled');
      assert.deepEqual(receipt, {
        success: true,
        paymentId: payment.id,
        transaction: payment.txHash,
        payer: payer.address,
        amountMicro: 250_000,
        network: quote.network,
        bought: { resourceUrl: quote.resourceUrl, termsHash, at: payment.settledAt },
      });
      assert.deepEqual(await deps.balances.balance(payer.address), { balanceMicro: 750_000, stale: false });
      const again = await collect(deps, quote, null);
      assert.equal(again.payment.id, payment.id);
      assert.equal(again.receipt, null);
      for (const another of [await pay(payer, quote), { malformed: 'garbage' }])
        assert.equal((await collect(deps, quote, another)).payment.id, payment.id);
      assert.equal(await deps.chain.balanceMicro(payer.address), 750_000);
      assert.deepEqual((await world.checkLedger()).problems, []);
    });
  }

  it('asks for a payment when the request has none, and counts no failure', async () => {
    const refused = await refusal(collect(deps, world.quote(), null));
    assert.equal(refused.code, 'PAYMENT_REQUIRED');
    assert.equal(refused.counted, false);
  });

  it('waits for a payment that is valid in a moment, and sends one of later back without a failure', async () => {
    const quote = world.quote();
    const payer = await world.wallet(1_000_000);
    const later = collect(deps, quote, await signPayment(payer, quote, { validAfter: now() + 60 }));
    await assert.rejects(later, { code: 'INTERNAL_ERROR', status: 503 });
    const { payment } = await collect(deps, quote, await signPayment(payer, quote, { validAfter: now() + 1 }));
    assert.equal(payment.state, 'settled');
  });

  describe('refuses, counts what cost a call as a failure, and sends the quote again for', async () => {
    const quote = world.quote();
    const payer = await world.wallet(1_000_000);
    const poor = await world.wallet(249_999);
    const [good, canceled] = [await signPayment(payer, quote), await signPayment(payer, quote)];
    await cancel(world.rpc, payer, canceled.authorization.nonce);
    const counted = ['a foreign signature', 'a canceled authorization', 'a wallet with too little'];
    const cases: Record<string, PaymentInRequest> = {
      'an unreadable payment': { malformed: 'PAYMENT-SIGNATURE is not base64' },
      'another amount': await signPayment(payer, quote, { value: quote.amountMicro - 1 }),
      'another recipient': await signPayment(payer, quote, { to: poor.address }),
      'another network': { ...good, network: 'eip155:8453' },
      'another scheme': { ...good, scheme: 'upto' },
      'accepted requirements that differ': { ...good, accepted: { ...(good.accepted ?? never()), amount: '1' } },
      'a foreign signature': { ...good, signature: (await signPayment(poor, quote)).signature },
      'a canceled authorization': canceled,
      'an expired authorization': await signPayment(payer, quote, { validBefore: now() - 1 }),
      'an authorization that lives for days': await signPayment(payer, quote, { validBefore: now() + 86_400 }),
      'an authorization of the future': await signPayment(payer, quote, { validAfter: now() + 600 }),
      'a wallet with too little': await signPayment(poor, quote),
    };
    for (const [name, payment] of Object.entries(cases)) {
      it(name, async () => {
        const refused = await refusal(collect(deps, quote, payment));
        assert.equal(refused.code, 'PAYMENT_FAILED');
        assert.equal(refused.counted, counted.includes(name));
        assert.deepEqual(refused.quote, quote);
        assert.equal(refused.receipt, null);
        assert.deepEqual(await world.rows(quote.subjectId), []);
      });
    }
    it('takes a correct payment after the refusals', async () => {
      assert.equal((await collect(deps, quote, good)).payment.state, 'settled');
    });
  });

  it('counts a failure once, while requests with the same payment wait for its outcome', async () => {
    const quote = world.quote();
    const payment = await pay(await world.wallet(1_000_000), quote);
    const [settling, refused] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const settle = async () => {
      settling.resolve();
      await refused.promise;
      return { success: false, errorReason: 'insufficient_funds', transaction: '' };
    };
    const refusing = world.with({ facilitator: { ...deps.facilitator, settle } });
    const first = refusal(collect(refusing, quote, payment));
    await settling.promise;
    const others = Array.from({ length: 3 }, () => {
      // A request that finds the payment unsettled reads the time before it waits.
      const waiting = Promise.withResolvers<void>();
      const clock = { now: () => (waiting.resolve(), deps.clock.now()) };
      return { waiting: waiting.promise, answer: refusal(collect(world.with({ clock }), quote, payment)) };
    });
    await Promise.all(others.map(({ waiting }) => waiting));
    refused.resolve();
    const { message, counted, ...told } = await first;
    assert.equal(counted, true);
    for (const { answer } of others) {
      const { message: otherMessage, counted: otherCounted, ...otherTold } = await answer;
      assert.deepEqual([otherMessage, otherCounted, otherTold], [message, false, told]);
    }
  });

  it('charges nothing when the request is invalid or its subject cannot be paid', async () => {
    const quote = world.quote();
    const payer = await world.wallet(1_000_000);
    const payment = await pay(payer, quote);
    const badBody = () => Promise.reject(validationError([{ field: 'fileName', message: 'required' }]));
    assert.equal(await codeOf(collect(deps, quote, payment, { beforeClaim: badBody })), 'VALIDATION_ERROR');
    const closed = () => Promise.reject(new DomainError('PROJECT_NOT_ACCEPTING', 'The project is judging.'));
    assert.equal(await codeOf(collect(deps, quote, payment, { claim: closed })), 'PROJECT_NOT_ACCEPTING');
    assert.deepEqual(await world.rows(quote.subjectId), []);
    assert.equal(await deps.chain.balanceMicro(payer.address), 1_000_000);
    assert.equal((await collect(deps, quote, payment)).payment.state, 'settled');
  });

  it('passes the paying wallet to the claim, and records the forwarded address', async () => {
    const quote = world.quote();
    const payer = await world.wallet(1_000_000);
    const seen: string[] = [];
    await collect(deps, quote, await pay(payer, quote), {
      forwardedFor: '203.0.113.9',
      claim: async (_tx, wallet) => void seen.push(wallet),
    });
    assert.deepEqual(seen, [payer.address]);
    const [row] = await world.db`select forwarded_for from payments where subject_id = ${quote.subjectId}`;
    assert.equal(row?.['forwarded_for'], '203.0.113.9');
  });

  it('answers 503 and claims nothing while the facilitator or the chain does not answer', async () => {
    const quote = world.quote();
    const payment = await pay(await world.wallet(1_000_000), quote);
    const mute = { ...deps.facilitator, verify: () => Promise.reject(new Error('connection refused')) };
    const error = await collect(world.with({ facilitator: mute }), quote, payment).catch((caught: unknown) => caught);
    assert.ok(error instanceof DomainError);
    assert.deepEqual([error.code, error.status, error.retryAfterSeconds], ['INTERNAL_ERROR', 503, 5]);
    const chain = { ...deps.chain, searchStart: () => Promise.reject(new ChainUnavailable()) };
    await assert.rejects(collect(world.with({ chain }), quote, payment), ChainUnavailable);
    assert.deepEqual(await world.rows(quote.subjectId), []);
    assert.equal((await collect(deps, quote, payment)).payment.state, 'settled');
  });

  it('finds an authorization that somebody executed while the node let it wait for the block to search from', async () => {
    const quote = world.quote();
    const payment = (await pay(await world.wallet(1_000_000), quote)) as PresentedPayment;
    let txHash = '';
    const searchStart = async () => {
      txHash = await execute(world.rpc, payment);
      return (await deps.chain.blockNumber()) + 1;
    };
    const late = world.with({ chain: { ...deps.chain, searchStart } });
    assert.equal(await codeOf(collect(late, quote, payment)), 'PAYMENT_FAILED');
    assert.deepEqual(await world.rows(quote.subjectId), [], 'no row searches after its transfer');
    assert.equal((await collect(deps, quote, payment)).payment.txHash, txHash);
  });

  it('stores nothing that a client sent beside its signed authorization', async () => {
    const quote = world.quote();
    const payment = (await pay(await world.wallet(1_000_000), quote)) as PresentedPayment;
    const dressed = {
      ...payment,
      accepted: { ...(payment.accepted ?? never()), extra: { name: 'USDC', version: '2', x: '\u0000' } },
    };
    await collect(deps, quote, dressed);
    const [row] = await world.db<
      { payload: Record<string, unknown> }[]
    >`select payload from payments where subject_id = ${quote.subjectId}`;
    assert.deepEqual(Object.keys(row?.payload ?? {}).toSorted(), ['accepted', 'payload', 'resource', 'x402Version']);
  });
});

async function refusal(call: Promise<unknown>): Promise<PaymentRefused> {
  const error = await call.then(
    () => null,
    (caught: unknown) => caught,
  );
  assert.ok(error instanceof PaymentRefused, String(error));
  return error;
}

function never(): never {
  throw new Error('a v2 payment names what it accepted');
}
