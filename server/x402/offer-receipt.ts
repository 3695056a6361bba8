import {
  createJWS,
  extractJWSPayload,
  type JWSSignedOffer,
  type JWSSignedReceipt,
  type JWSSigner,
  OFFER_RECEIPT,
  type OfferPayload,
  type ReceiptPayload,
} from '@x402/extensions/offer-receipt';
import { z } from 'zod';
import type { PaymentQuote, SettlementReceipt } from '../payments/types.ts';
import type { Signing } from '../signing/types.ts';
import { requirementsV2 } from './quote.ts';

/** The version of the extension's payloads. */
const VERSION = 1;

/** The terms are our own members. The package's verifier checks the signature and returns every member. */
type WithTerms = { terms_hash?: string; terms_url?: string };

/** The value of `extensions` in a 402 or in a settlement response. */
type Extensions = Record<string, { info: object; schema: object }>;

// Clients echo the whole extension in the header of their payment, and proxies bound the headers of an answer: nginx takes
// 4 KB. The package's own schema describes all payloads, which a JWS holds itself, and takes ten times the space.
const OFFER_SCHEMA = { type: 'object', required: ['offers'] };
const RECEIPT_SCHEMA = { type: 'object', required: ['receipt'] };

/** Returns the extension `offer-receipt` of a 402: what the payment would buy, at which price, under which terms. */
export async function signedOffer(signing: Signing, quote: PaymentQuote, now: Date): Promise<Extensions> {
  const { scheme, network, asset, payTo, amount, maxTimeoutSeconds } = requirementsV2(quote);
  const payload: OfferPayload & WithTerms = {
    version: VERSION,
    resourceUrl: quote.resourceUrl,
    scheme,
    network,
    asset,
    payTo,
    amount,
    validUntil: seconds(now) + maxTimeoutSeconds,
    ...termsOf(quote),
  };
  const offer: JWSSignedOffer = { format: 'jws', acceptIndex: 0, signature: await jws(signing, payload) };
  return { [OFFER_RECEIPT]: { info: { offers: [offer] }, schema: OFFER_SCHEMA } };
}

/**
 * Returns the extension `offer-receipt` of a settlement, or null for a payment that bought nothing. The payload holds no
 * time of this request, so a repeated receipt is equal to the first.
 */
export async function signedReceipt(signing: Signing, receipt: SettlementReceipt): Promise<Extensions | null> {
  const { bought, network, payer, transaction } = receipt;
  if (!bought) return null;
  const payload: ReceiptPayload & WithTerms = {
    version: VERSION,
    network,
    resourceUrl: bought.resourceUrl,
    payer,
    issuedAt: seconds(bought.at),
    transaction,
    ...termsOf(bought),
  };
  const proof: JWSSignedReceipt = { format: 'jws', signature: await jws(signing, payload) };
  return { [OFFER_RECEIPT]: { info: { receipt: proof }, schema: RECEIPT_SCHEMA } };
}

const echoed = z.object({
  [OFFER_RECEIPT]: z.object({ info: z.object({ offers: z.tuple([z.object({ signature: z.string() })]) }) }),
});
const termsInOffer = z.object({ terms_hash: z.string() });

/**
 * Returns the terms of the offer that a payment answers, or undefined. v2 clients send the extensions of the 402 back.
 * Nobody has to trust the offer: its terms only let the service refuse a payment.
 */
export function offeredTerms(extensions: unknown): string | undefined {
  const offers = echoed.safeParse(extensions).data?.[OFFER_RECEIPT].info.offers;
  if (!offers) return undefined;
  try {
    return termsInOffer.safeParse(extractJWSPayload(offers[0].signature)).data?.terms_hash;
  } catch {
    return undefined;
  }
}

async function jws({ kid, sign }: Signing, payload: object): Promise<string> {
  const signer: JWSSigner = { kid, format: 'jws', algorithm: 'EdDSA', sign: async (bytes) => sign(bytes) };
  return await createJWS(payload, signer);
}

/** The hash proves which terms were agreed to. The address is where anybody reads them. */
function termsOf({ termsHash: hash, termsUrl: url }: Pick<PaymentQuote, 'termsHash' | 'termsUrl'>): WithTerms {
  if (!hash) return {};
  return { terms_hash: hash, ...(url === undefined ? {} : { terms_url: url }) };
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
