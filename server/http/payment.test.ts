import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http';
import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { paymentHeader, testSigning } from '../../test/support/worlds/payment-world.ts';
import { paymentFailed, paymentRequired } from '../x402/payment-refused.ts';
import { paymentRefusal, readPresentedPayment, settlementHeaders } from './payment.ts';
import type { PaymentQuote } from '../ports/payments/payments.ts';

const account = privateKeyToAccount(generatePrivateKey());
const payer = { account, address: account.address.toLowerCase() };
const quote: PaymentQuote = {
  kind: 'entry_fee',
  subjectId: '01890000-0000-7000-8000-000000000000',
  network: 'eip155:84532',
  asset: '0x036cbd53842c5426634e7929541ec2318f3dcf7e',
  payTo: '0x00000000000000000000000000000000000000cc',
  amountMicro: 1,
  resourceUrl: 'https://concours.example/api/v1/agents/projects/1/submissions/2',
  description: 'Entry fee – „Ünïcode“ 🎨',
};
const at = new Date();
const deps = { clock: { now: () => at }, signing: testSigning };
const read = (headers: Record<string, string>) => readPresentedPayment(new Headers(headers));
const base64 = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64');

describe('the 402 handshake', () => {
  it('answers clients of both versions in one response, with amounts as text', async () => {
    const { headers, body } = await paymentRefusal(deps, paymentRequired(quote));
    const v2 = PaymentRequiredV2Schema.parse(decodePaymentRequiredHeader(headers['payment-required'] ?? ''));
    assert.equal(v2.resource.url, quote.resourceUrl);
    assert.equal(v2.resource.description, quote.description);
    assert.equal(v2.accepts[0]?.amount, '1');
    assert.equal(v2.accepts[0].maxTimeoutSeconds, 300);
    assert.deepEqual(v2.accepts[0].extra, { name: 'USDC', version: '2' });
    const v1 = PaymentRequiredV1Schema.parse(body);
    assert.equal(v1.accepts[0]?.maxAmountRequired, '1');
    assert.equal(v1.accepts[0].network, 'base-sepolia');
    assert.equal(headers['Cache-Control'], 'no-store');
    assert.deepEqual(await paymentRefusal(deps, paymentRequired(quote)), { headers, body });
  });

  for (const version of [1, 2] as const) {
    it(`reads the payment of an unmodified v${version} client`, async () => {
      const presented = read(await paymentHeader(payer, quote, version));
      assert.ok(presented && 'authorization' in presented);
      assert.equal(presented.x402Version, version);
      assert.equal(presented.authorization.from, account.address);
      assert.equal(presented.authorization.value, '1');
    });
  }

  it('reports a settlement to both versions, and a refused one with success false', async () => {
    const receipt = {
      success: true,
      transaction: `0x${'ab'.repeat(32)}`,
      payer: payer.address,
      amountMicro: 1,
      network: quote.network,
    };
    const headers = await settlementHeaders(deps, receipt);
    const told = { success: true, transaction: receipt.transaction, payer: payer.address };
    assert.deepEqual(decodePaymentResponseHeader(headers['payment-response'] ?? ''), {
      ...told,
      network: 'eip155:84532',
      amount: '1',
    });
    assert.deepEqual(decodePaymentResponseHeader(headers['x-payment-response'] ?? ''), {
      ...told,
      network: 'base-sepolia',
    });
    const refused = { ...receipt, success: false, transaction: '', errorReason: 'insufficient_funds' };
    const { headers: refusal } = await paymentRefusal(deps, paymentFailed(quote, 'the wallet is empty', refused));
    assert.equal(decodePaymentResponseHeader(refusal['payment-response'] ?? '').success, false);
    assert.equal(decodePaymentResponseHeader(refusal['x-payment-response'] ?? '').errorReason, 'insufficient_funds');
    assert.ok(refusal['payment-required']);
    const malformed = await paymentRefusal(deps, paymentFailed(quote, 'malformed'));
    assert.equal(malformed.headers['payment-response'], undefined);
  });

  it('returns null for a request without a payment', () => {
    assert.equal(read({ authorization: 'Bearer x' }), null);
  });

  it('returns `malformed` for everything else, and never throws', async () => {
    const good = await paymentHeader(payer, quote, 2);
    const payload = JSON.parse(Buffer.from(good['PAYMENT-SIGNATURE'] ?? '', 'base64').toString()) as {
      payload: { signature: string; authorization: Record<string, string> };
    };
    const withAuthorization = (change: Record<string, unknown>) => ({
      ...payload,
      payload: { ...payload.payload, authorization: { ...payload.payload.authorization, ...change } },
    });
    const bad: unknown[] = [
      '',
      'null',
      '[]',
      '{"x402Version":2}',
      '{"__proto__":{"x402Version":2}}',
      '['.repeat(5_000),
      Buffer.from([0xff, 0xfe, 0x00]).toString('latin1'),
      { ...payload, x402Version: 1 },
      { ...payload, payload: { permit2Authorization: {} } },
      { ...payload, payload: { ...payload.payload, signature: '0xabc' } },
      withAuthorization({ value: '-1' }),
      withAuthorization({ value: '01' }),
      withAuthorization({ value: 1 }),
      withAuthorization({ value: '1'.repeat(100) }),
      withAuthorization({ from: '0x00' }),
      withAuthorization({ nonce: `0x${'zz'.repeat(32)}` }),
      withAuthorization({ validBefore: '9'.repeat(30) }),
    ];
    for (const value of bad) {
      for (const name of ['payment-signature', 'x-payment']) {
        const presented = read({ [name]: base64(value) });
        assert.ok(presented && 'malformed' in presented, `${name}: ${JSON.stringify(value)}`);
      }
    }
    assert.ok('malformed' in (read({ 'payment-signature': 'not base64!' }) ?? {}));
    assert.ok('malformed' in (read({ 'payment-signature': base64({ ...payload, filler: 'x'.repeat(13_000) }) }) ?? {}));
    assert.ok('malformed' in (read({ ...good, 'x-payment': good['PAYMENT-SIGNATURE'] ?? '' }) ?? {}));
    // A header that came twice is joined by a comma.
    assert.ok(
      'malformed' in
        (read({ 'payment-signature': `${good['PAYMENT-SIGNATURE']}, ${good['PAYMENT-SIGNATURE']}` }) ?? {}),
    );
  });
});
