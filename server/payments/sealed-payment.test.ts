import assert from 'node:assert/strict';
import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { describe, it } from 'node:test';
import { createAnswerSeals } from '../idempotency/seals.ts';
import { sealPayment, openPayment } from './sealed-payment.ts';
import { facilitatorPayment } from '../x402/presented-payment.ts';
import { testQuote } from '../../test/support/worlds/payment-world.ts';

const seals = createAnswerSeals({ key: randomBytes(32), randomBytes });
const address = `0x${'ab'.repeat(20)}`;
const quote = testQuote(`0x${'cd'.repeat(20)}`);
const signature = `0x${randomBytes(65).toString('hex')}`;
const authorization = {
  from: address,
  to: quote.payTo,
  value: String(quote.amountMicro),
  validAfter: '0',
  validBefore: '1767225600',
  nonce: `0x${'12'.repeat(32)}`,
};

describe('a signed payment in its row', () => {
  for (const x402Version of [1, 2] as const) {
    const presented = {
      x402Version,
      scheme: 'exact',
      network: 'base-sepolia',
      accepted: null,
      authorization,
      signature,
    };
    const signed = facilitatorPayment(quote, presented);

    it(`of x402 v${x402Version} opens as it was signed, and does not contain the signature before`, () => {
      const id = randomUUIDv7();
      const kept = sealPayment(seals, id, signed);
      const stored = JSON.stringify([kept.payload, kept.requirements]) + kept.signature.toString('hex');
      assert.ok(!stored.includes(signature.slice(2, 40)));
      assert.ok(stored.includes(authorization.nonce));
      // As PostgreSQL returns the row.
      assert.deepEqual(openPayment(seals, id, structuredClone({ ...kept, signature: kept.signature })), signed);
    });

    it(`of x402 v${x402Version} does not open for another payment, nor with another key`, () => {
      const id = randomUUIDv7();
      const kept = sealPayment(seals, id, signed);
      assert.throws(() => openPayment(seals, randomUUIDv7(), kept));
      const others = createAnswerSeals({ key: randomBytes(32), randomBytes });
      assert.throws(() => openPayment(others, id, kept));
    });
  }
});
