import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { execute, signPayment } from '../../test/support/money/authorizations.ts';
import type { Facilitator, Settlement, X402Payment } from './types.ts';
import { codeOf, collect, faulty, pay, paymentWorld } from '../../test/support/worlds/payment-world.ts';
import { PaymentRefused } from './payment-refused.ts';

type Settle = Facilitator['settle'];
const refusedAs = (errorReason: string): Settlement => ({ success: false, errorReason, transaction: '' });

// Despite each fault, the money moves at most once, and the payer is never asked to sign again while it may have moved.
// `settled`: the request itself finds the outcome. Otherwise it gets PAYMENT_PENDING.
const faults: Record<string, { settled: boolean; fault: (real: Settle) => Settle }> = {
  'times out before it broadcasts': { settled: false, fault: () => () => Promise.reject(new Error('timeout')) },
  'times out after it broadcast': {
    settled: true,
    fault: (real) => async (payment) => {
      await real(payment);
      throw new Error('timeout');
    },
  },
  'answers 500 and the transaction is mined later': {
    settled: true,
    fault: (real) => (payment) => {
      void sleep(150).then(() => real(payment));
      return Promise.reject(new Error('500'));
    },
  },
  'reports a used nonce after its own broadcast': {
    settled: true,
    fault: (real) => async (payment) => {
      await real(payment);
      return refusedAs('invalid_exact_evm_nonce_already_used');
    },
  },
  'answers settlement_pending with the hash': {
    settled: true,
    fault: (real) => async (payment) => {
      const { transaction } = await real(payment);
      return { success: false, errorReason: 'settlement_pending', transaction };
    },
  },
  'fails with an empty hash although it broadcast (v1)': {
    settled: true,
    fault: (real) => async (payment) => {
      await real(payment);
      return refusedAs('Timed out while waiting for transaction to be confirmed.');
    },
  },
  'refuses definitely although it broadcast': {
    settled: true,
    fault: (real) => async (payment) => {
      await real(payment);
      return refusedAs('insufficient_funds');
    },
  },
  'reports success with the hash of no transaction': {
    settled: false,
    fault: () => async () => ({ success: true, transaction: `0x${'12'.repeat(32)}` }),
  },
  'reports true success with an empty hash': {
    settled: true,
    fault: (real) => async (payment) => ({ ...(await real(payment)), transaction: '' }),
  },
};

describe('a facilitator that', async () => {
  const world = await paymentWorld();
  const { deps } = world;
  const hasty = { ...deps.payments, waitMs: 400 };

  for (const [name, { settled, fault }] of Object.entries(faults)) {
    it(name, async () => {
      const quote = world.quote();
      const payer = await world.wallet(1_000_000);
      const payment = await pay(payer, quote, name.endsWith('(v1)') ? 1 : 2);
      const facilitator = faulty(deps.facilitator, fault);
      const broken = world.with(settled ? { facilitator } : { facilitator, payments: hasty });
      assert.equal(await codeOf(collect(broken, quote, payment)), settled ? 'no error' : 'PAYMENT_PENDING');
      // Retries during the fault: with the same payment, a new one, and none.
      const retries = [payment, await pay(payer, quote), null].map((header) => codeOf(collect(broken, quote, header)));
      const expected = settled ? 'no error' : 'PAYMENT_PENDING';
      assert.deepEqual(await Promise.all(retries), [expected, expected, expected]);
      assert.deepEqual((await world.checkLedger()).problems, []);
      // After the fault: the first payment is the one that counts.
      const { payment: taken } = await collect(deps, quote, await pay(payer, quote));
      assert.equal(await deps.chain.balanceMicro(payer.address), 750_000);
      assert.deepEqual(
        (await world.rows(quote.subjectId)).map(({ id, state }) => [id, state]),
        [[taken.id, 'settled']],
      );
      assert.deepEqual((await world.checkLedger()).problems, []);
    });
  }

  it('reports success with the transaction of another payment gets nothing booked', async () => {
    const payer = await world.wallet(1_000_000);
    const other = await collect(deps, world.quote(), await pay(payer, world.quote()));
    const liar = faulty(deps.facilitator, () => async () => ({ success: true, transaction: other.payment.txHash }));
    const quote = world.quote();
    const broken = world.with({ facilitator: liar, payments: hasty });
    assert.equal(await codeOf(collect(broken, quote, await pay(payer, quote))), 'PAYMENT_PENDING');
    assert.equal((await world.rows(quote.subjectId))[0]?.state, 'settling');
    assert.equal((await collect(deps, quote, null)).payment.state, 'settled');
  });

  it('refuses definitely ends the payment: the payer gets the reason and may pay again', async () => {
    const quote = world.quote();
    const payer = await world.wallet(1_000_000);
    const payment = await pay(payer, quote);
    const refusing = world.with({
      facilitator: faulty(deps.facilitator, () => async () => refusedAs('insufficient_funds')),
    });
    const error = await collect(refusing, quote, payment).catch((caught: unknown) => caught);
    assert.ok(error instanceof PaymentRefused);
    assert.equal(error.counted, true);
    assert.deepEqual(error.receipt, {
      success: false,
      transaction: '',
      payer: payer.address,
      amountMicro: 250_000,
      network: quote.network,
      errorReason: 'insufficient_funds',
    });
    assert.equal(await codeOf(collect(deps, quote, null)), 'PAYMENT_REQUIRED');
    // The refused authorization could still execute, so it is not accepted again.
    assert.equal(await codeOf(collect(deps, quote, payment)), 'PAYMENT_FAILED');
    assert.equal((await collect(deps, quote, await pay(payer, quote))).payment.state, 'settled');
    assert.deepEqual(
      (await world.rows(quote.subjectId)).map(({ state, watched }) => [state, watched]),
      [
        ['failed', true],
        ['settled', false],
      ],
    );
  });

  it('refuses only after an attempt of unknown outcome ends nothing', async () => {
    const quote = world.quote();
    const payer = await world.wallet(1_000_000);
    let calls = 0;
    const settle = async (_payment: X402Payment) => {
      calls += 1;
      if (calls === 1) throw new Error('connection reset');
      return refusedAs('insufficient_funds');
    };
    const broken = world.with({ facilitator: { ...deps.facilitator, settle }, payments: hasty });
    assert.equal(await codeOf(collect(broken, quote, await pay(payer, quote))), 'PAYMENT_PENDING');
    assert.equal(await codeOf(collect(broken, quote, null)), 'PAYMENT_PENDING');
    assert.equal(calls, 2);
    assert.equal((await world.rows(quote.subjectId))[0]?.state, 'settling');
  });

  it('refuses definitely, after another request has taken the lease, ends nothing', async () => {
    const quote = world.quote();
    const payer = await world.wallet(1_000_000);
    const slow = faulty(deps.facilitator, () => async () => {
      // The lease ran out, and another request took it.
      await world.db`update payments set lease_until = now() + interval '1 hour' where subject_id = ${quote.subjectId}`;
      return refusedAs('insufficient_funds');
    });
    const broken = world.with({ facilitator: slow, payments: hasty });
    assert.equal(await codeOf(collect(broken, quote, await pay(payer, quote))), 'PAYMENT_PENDING');
    assert.equal((await world.rows(quote.subjectId))[0]?.state, 'settling');
  });

  it('loses a race for the last money of a wallet fails by the receipt', async () => {
    const [quote, rival] = [world.quote(), world.quote()];
    const payer = await world.wallet(250_000);
    const spent = await signPayment(payer, rival);
    // The money leaves between verify and settle, so the broadcast transaction reverts on chain.
    const late = faulty(deps.facilitator, () => async () => {
      await execute(world.rpc, spent);
      return {
        success: false,
        errorReason: 'invalid_exact_evm_transaction_failed',
        transaction: await revertingTransaction(),
      };
    });
    const revertingTransaction = async () => {
      const from = '0x00000000000000000000000000000000000000bb';
      await world.rpc('anvil_setBalance', [from, '0xde0b6b3a7640000']);
      await world.rpc('anvil_impersonateAccount', [from]);
      const data = '0xa9059cbb'.padEnd(10 + 128, 'f');
      const hash = (await world.rpc('eth_sendTransaction', [
        { from, to: quote.asset, data, gas: '0x186a0' },
      ])) as string;
      await sleep(20);
      return hash;
    };
    const error = await collect(world.with({ facilitator: late }), quote, await pay(payer, quote)).catch(
      (caught: unknown) => caught,
    );
    assert.ok(error instanceof PaymentRefused);
    assert.equal(error.receipt?.success, false);
    assert.match(error.receipt.transaction, /^0x[0-9a-f]{64}$/);
    assert.equal((await collect(deps, rival, spent)).payment.state, 'settled');
  });
});
