import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  findAcceptsObjectFromSignedOffer,
  type JWSSignedOffer,
  type JWSSignedReceipt,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt';
import { compactVerify, createLocalJWKSet } from 'jose';
import { getAddress } from 'viem';
import type { PaymentQuote, SettlementReceipt } from '../payments/types.ts';
import { createSigning } from '../signing/signing.ts';
import { testQuote, testSigning } from '../../test/support/worlds/payment-world.ts';
import { signedOffer, signedReceipt } from './offer-receipt.ts';
import { paymentRequiredV2 } from './quote.ts';

const [key] = testSigning.keys;
const keys = createLocalJWKSet({ keys: testSigning.keys });
const termsHash = `sha256:${'ab'.repeat(32)}`;
const payer = '0x00000000000000000000000000000000000000dd';
const terms = { termsHash, termsUrl: 'https://market.example/api/v1/projects/1/terms' };
const quote: PaymentQuote = { ...testQuote('0x00000000000000000000000000000000000000cc'), ...terms };
const now = new Date();
const transaction = `0x${'cd'.repeat(32)}`;
const receipt: SettlementReceipt = {
  success: true,
  transaction,
  payer,
  amountMicro: 250_000,
  network: quote.network,
  bought: { resourceUrl: quote.resourceUrl, ...terms, at: now },
};
const required = async (of = quote) => ({
  ...paymentRequiredV2(of, 'Payment required'),
  extensions: await signedOffer(testSigning, of, now),
});
const proofOf = async (of = receipt) => {
  const extensions = (await signedReceipt(testSigning, of)) as Record<string, { info: { receipt: JWSSignedReceipt } }>;
  return extensions['offer-receipt']!.info.receipt;
};
const textOf = async (jws: string): Promise<unknown> =>
  JSON.parse(new TextDecoder().decode((await compactVerify(jws, keys)).payload));

describe('a signed offer', () => {
  it('states the requirements and the terms, and the verifiers of the package and of jose accept it', async () => {
    const answer = await required();
    const [offer] = extractOffersFromPaymentRequired(answer) as [JWSSignedOffer];
    const payload = {
      version: 1,
      resourceUrl: quote.resourceUrl,
      scheme: 'exact',
      network: 'eip155:84532',
      asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
      payTo: getAddress(quote.payTo),
      amount: '250000',
      validUntil: Math.floor(now.getTime() / 1000) + 300,
      terms_hash: termsHash,
      terms_url: quote.termsUrl,
    };
    assert.deepEqual(await verifyOfferSignatureJWS(offer, key), payload);
    assert.deepEqual(await textOf(offer.signature), payload);
    assert.deepEqual(findAcceptsObjectFromSignedOffer(offer, answer.accepts), answer.accepts[0]);
  });

  it('that was changed, or signed by another service, is refused', async () => {
    const [offer] = extractOffersFromPaymentRequired(await required()) as [JWSSignedOffer];
    const [header, , signature] = offer.signature.split('.');
    const cheaper = { ...((await textOf(offer.signature)) as object), amount: '1' };
    const changed = [header, Buffer.from(JSON.stringify(cheaper)).toString('base64url'), signature].join('.');
    await assert.rejects(verifyOfferSignatureJWS({ ...offer, signature: changed }, key));
    const other = createSigning({
      secretsKey: randomBytes(32).toString('hex'),
      earlierKeys: [],
      publicUrl: 'https://x.example',
    });
    await assert.rejects(verifyOfferSignatureJWS(offer, other.keys[0]));
  });
});

describe('a signed receipt', () => {
  it('matches its offer, carries the transaction and the terms, and both verifiers accept it', async () => {
    const proof = await proofOf();
    const payload = {
      version: 1,
      network: 'eip155:84532',
      resourceUrl: quote.resourceUrl,
      payer,
      issuedAt: Math.floor(now.getTime() / 1000),
      transaction,
      terms_hash: termsHash,
      terms_url: quote.termsUrl,
    };
    assert.deepEqual(await verifyReceiptSignatureJWS(proof, key), payload);
    assert.deepEqual(await textOf(proof.signature), payload);
    const [offer] = decodeSignedOffers(extractOffersFromPaymentRequired(await required()));
    assert.ok(offer && verifyReceiptMatchesOffer(proof, offer, [payer]));
  });

  it('is not issued for a payment that bought nothing', async () => {
    const { bought: _, ...late } = receipt;
    assert.equal(await signedReceipt(testSigning, late), null);
  });
});
