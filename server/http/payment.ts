import { PaymentPayloadV1Schema, PaymentPayloadV2Schema } from '@x402/core/schemas';
import type { PaymentRequired } from '@x402/core/types';
import type { Deps } from '../deps.ts';
import {
  type PaymentRefused,
  eip3009Payload,
  networkOf,
  offeredTerms,
  paymentRequiredV2,
  requirementsV1,
  signedOffer,
  signedReceipt,
} from '../x402/public.ts';
import type { SettlementReceipt, PaymentInRequest } from '../ports/payments/payments.ts';

// A payment with a contract wallet's signature takes about 6 KB, and v2 clients add the extensions of the 402: about 2 KB.
// All headers together may take 16 KB.
const MAX_HEADER_LENGTH = 12_000;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Reads the payment of a request: `PAYMENT-SIGNATURE` (x402 v2) or `X-PAYMENT` (v1). Never throws. An unreadable
 * payment is `malformed`, with a reason that the client may see.
 */
export function readPresentedPayment(headers: Pick<Headers, 'get'>): PaymentInRequest {
  const v2 = headers.get('payment-signature');
  const v1 = headers.get('x-payment');
  if (v2 !== null && v1 !== null) return { malformed: 'send either PAYMENT-SIGNATURE or X-PAYMENT' };
  if (v2 !== null) return readV2(v2);
  return v1 === null ? null : readV1(v1);
}

function readV2(header: string): PaymentInRequest {
  const parsed = PaymentPayloadV2Schema.safeParse(decode(header));
  if (!parsed.success) return { malformed: 'PAYMENT-SIGNATURE is not a base64 x402 v2 payment' };
  const { accepted, payload, extensions } = parsed.data;
  const exact = eip3009Payload.safeParse(payload);
  if (!exact.success) return { malformed: 'PAYMENT-SIGNATURE holds no EIP-3009 authorization' };
  return {
    x402Version: 2,
    scheme: accepted.scheme,
    network: accepted.network,
    accepted: { ...accepted, network: accepted.network as `${string}:${string}`, extra: accepted.extra ?? {} },
    ...exact.data,
    offeredTerms: offeredTerms(extensions),
  };
}

function readV1(header: string): PaymentInRequest {
  const parsed = PaymentPayloadV1Schema.safeParse(decode(header));
  if (!parsed.success) return { malformed: 'X-PAYMENT is not a base64 x402 v1 payment' };
  const { scheme, network, payload } = parsed.data;
  const exact = eip3009Payload.safeParse(payload);
  if (!exact.success) return { malformed: 'X-PAYMENT holds no EIP-3009 authorization' };
  return { x402Version: 1, scheme, network, accepted: null, ...exact.data };
}

/** Returns the JSON of a header, or `undefined`, which the schemas refuse. */
function decode(header: string): unknown {
  if (header.length > MAX_HEADER_LENGTH || !BASE64.test(header)) return undefined;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'base64'));
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the response headers that report the outcome of a payment to clients of x402 v2 and v1. The signed receipt
 * stands in the v2 header alone, because v1 knows no extensions.
 */
export async function settlementHeaders(
  { signing }: Pick<Deps, 'signing'>,
  receipt: SettlementReceipt,
): Promise<Record<string, string>> {
  const { network: id, amountMicro, bought: _, ...common } = receipt;
  const extensions = await signedReceipt(signing, receipt);
  const v1 = { ...common, network: networkOf({ network: id }).v1Name };
  return {
    'payment-response': encode({
      ...common,
      network: id,
      amount: String(amountMicro),
      ...(extensions ? { extensions } : {}),
    }),
    'x-payment-response': encode(v1),
    // Spelled as in the other headers; another spelling would add a second header.
    'Cache-Control': 'no-store',
  };
}

/** The members that a 402 adds to a failure. */
export type PaymentRefusal = {
  headers: Record<string, string>;
  body: Record<string, unknown> & { x402Version: 1; accepts: unknown[] };
};

/**
 * Returns what a 402 adds to the error envelope: headers, the two top-level members that v1 clients read in the body, and
 * what the payer should know about the subject.
 *
 * @example const { headers, body } = await paymentRefusal(deps, error); // {...envelope, ...body}
 */
export async function paymentRefusal(
  deps: Pick<Deps, 'clock' | 'signing'>,
  error: PaymentRefused,
): Promise<PaymentRefusal> {
  const required: PaymentRequired = {
    ...paymentRequiredV2(error.quote, error.message),
    extensions: await signedOffer(deps.signing, error.quote, deps.clock.now()),
  };
  return {
    headers: {
      ...(error.receipt ? await settlementHeaders(deps, error.receipt) : {}),
      'payment-required': encode(required),
      'Cache-Control': 'no-store',
    },
    body: { x402Version: 1, accepts: [requirementsV1(error.quote)], ...error.about },
  };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}
