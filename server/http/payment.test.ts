import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http';
import { type DiscoveryExtension, validateDiscoveryExtension } from '@x402/extensions/bazaar';
import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { paymentHeader, testSigning } from '../../test/support/worlds/payment-world.ts';
import { paymentFailed, paymentRequired, paymentUnfit } from '../x402/payment-refused.ts';
import { mismatch } from '../x402/presented-payment.ts';
import { paymentRefusal, readPresentedPayment, settlementHeaders } from './payment.ts';
import type { PaymentQuote } from '../payments/types.ts';

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
const readPayment = (headers: Record<string, string>) => readPresentedPayment(new Headers(headers));

const base64 = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64');

const decoded = (header: string) => JSON.parse(Buffer.from(header, 'base64').toString()) as Record<string, unknown>;

describe('the 402 handshake', () => {
  it('answers clients of both versions in one response, with amounts as text', async () => {
    const { headers, body } = await paymentRefusal(deps, paymentRequired(quote));
    const v2 = PaymentRequiredV2Schema.parse(decodePaymentRequiredHeader(headers['payment-required'] ?? ''));
    assert.equal(v2.resource.url, quote.resourceUrl);
    assert.equal(v2.resource.description, quote.description);
    assert.equal(v2.accepts[0]?.amount, '1');
    assert.equal(v2.accepts[0].maxTimeoutSeconds, 300);
    assert.deepEqual(v2.accepts[0].extra, { name: 'USDC', version: '2' });
    const bazaar = v2.extensions?.['bazaar'] as DiscoveryExtension;
    assert.deepEqual(validateDiscoveryExtension(bazaar), { valid: true });
    // The smallest buffer of common proxies is 4 KB for all headers of an answer.
    assert.ok((headers['payment-required'] ?? '').length < 2_300);
    const v1 = PaymentRequiredV1Schema.parse(body);
    assert.equal(v1.accepts[0]?.maxAmountRequired, '1');
    assert.equal(v1.accepts[0].network, 'base-sepolia');
    assert.equal(headers['Cache-Control'], 'no-store');
    assert.deepEqual(await paymentRefusal(deps, paymentRequired(quote)), { headers, body });
  });

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
    const { headers: refusal } = await paymentRefusal(
      deps,
      paymentFailed(quote, 'the wallet is empty', { receipt: refused }),
    );
    assert.equal(decodePaymentResponseHeader(refusal['payment-response'] ?? '').success, false);
    assert.equal(decodePaymentResponseHeader(refusal['x-payment-response'] ?? '').errorReason, 'insufficient_funds');
    assert.ok(refusal['payment-required']);
    const { headers: malformed } = await paymentRefusal(deps, paymentUnfit(quote, 'malformed'));
    const outcome = decodePaymentResponseHeader(malformed['payment-response'] ?? '');
    const untried = { success: false, errorReason: 'invalid_payload', transaction: '', network: quote.network };
    assert.deepEqual(outcome, untried);
    assert.equal((await paymentRefusal(deps, paymentRequired(quote))).headers['payment-response'], undefined);
  });

  it('reads the version in the payload, whatever the header is named, and the newer one of two', async () => {
    const [v1, v2] = await Promise.all(([1, 2] as const).map((version) => paymentHeader(payer, quote, version)));
    const [one = '', two = ''] = [v1?.['X-PAYMENT'], v2?.['PAYMENT-SIGNATURE']];
    const sameAs = (text: string) => base64({ ...decoded(one), payload: decoded(text)['payload'] });
    const versionOf = (headers: Record<string, string>) => {
      const presented = readPayment(headers);
      return presented && 'authorization' in presented ? presented.x402Version : presented;
    };
    const url = two.replaceAll('+', '-').replaceAll('/', '_');
    assert.equal(readPayment({ authorization: 'Bearer x' }), null);
    assert.equal(versionOf({ 'payment-signature': one }), 1);
    assert.equal(versionOf({ 'x-payment': two, 'payment-signature': '' }), 2);
    for (const other of [two, url, sameAs(two), `${two}, ${sameAs(two)}`, 'garbage'])
      assert.equal(versionOf({ 'payment-signature': two, 'x-payment': other }), 2, other);
    for (const headers of [{ 'payment-signature': two, 'x-payment': one }, { 'x-payment': `${one},${two}` }])
      assert.throws(() => readPayment(headers), { code: 'VALIDATION_ERROR', status: 400 });
  });

  it('takes nulls and further members of what is optional', async () => {
    const { 'PAYMENT-SIGNATURE': header = '' } = await paymentHeader(payer, quote, 2);
    const sent = decoded(header) as { accepted: object; payload: object };
    for (const change of [
      { resource: null, extensions: null, accepted: { ...sent.accepted, extra: null } },
      { resource: {}, extensions: [], memo: { x: 1 }, payload: { ...sent.payload, memo: null } },
    ]) {
      const presented = readPayment({ 'payment-signature': base64({ ...sent, ...change }) });
      assert.ok(presented && 'authorization' in presented);
      assert.equal(mismatch(quote, presented), null);
    }
  });

  it('returns `malformed` for everything else', async () => {
    const good = await paymentHeader(payer, quote, 2);
    const payload = decoded(good['PAYMENT-SIGNATURE'] ?? '') as {
      payload: { signature: string; authorization: Record<string, string> };
    };
    const withAuthorization = (change: Record<string, unknown>) => ({
      ...payload,
      payload: { ...payload.payload, authorization: { ...payload.payload.authorization, ...change } },
    });
    const bad: unknown[] = [
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
        const presented = readPayment({ [name]: base64(value) });
        assert.ok(presented && 'malformed' in presented, `${name}: ${JSON.stringify(value)}`);
      }
    }
    assert.throws(() => readPayment({ 'payment-signature': 'a,'.repeat(5) }), { code: 'VALIDATION_ERROR' });
    for (const header of ['not base64!', base64({ ...payload, filler: 'x'.repeat(13_000) })])
      assert.ok('malformed' in (readPayment({ 'payment-signature': header }) ?? {}));
  });
});
