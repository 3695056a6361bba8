import type { PaymentRequired } from '@x402/core/types';
import { z } from 'zod';
import { validationError } from '../../contract/basics/errors.ts';
import type { Deps } from '../deps.ts';
import {
  bazaarOf,
  type PaymentRefused,
  eip3009Payload,
  networkOf,
  offeredTerms,
  paymentRequiredV2,
  requirementsV1,
  signedOffer,
  signedReceipt,
} from '../x402/public.ts';
import type { PaymentInRequest, PresentedPayment, SettlementReceipt } from '../payments/types.ts';

// A payment with a contract wallet's signature takes about 6 KB, and v2 clients add the extensions of the 402: about 2 KB.
// All headers together may take 16 KB.
const MAX_HEADER_LENGTH = 12_000;
// Both alphabets of RFC 4648.
const BASE64 = /^[\w+/-]+={0,2}$/;
const HEADERS = ['payment-signature', 'x-payment'] as const;
/** Each header, twice. */
const MOST_SENT = 4;

type Headers = Pick<globalThis.Headers, 'get'>;

/** Returns the payments of a request as they were sent. Clients name either header, both, or one of them twice. */
function sentPayments(headers: Headers): string[] {
  const values = HEADERS.flatMap((name) => headers.get(name)?.split(',') ?? []);
  return values.map((value) => value.trim()).filter((value) => value !== '');
}

/** Returns whether a request carries a payment, readable or not. */
export function presentsPayment(headers: Headers): boolean {
  return sentPayments(headers).length > 0;
}

/**
 * Reads the payment of a request. Its version is in the payload, whatever the name of its header. If several hold the same
 * authorization, the newest version counts. An unreadable payment is `malformed`, with a reason that the client may see.
 *
 * @throws DomainError VALIDATION_ERROR for two different authorizations: nobody can tell which one is meant
 */
export function readPresentedPayment(headers: Headers): PaymentInRequest {
  const sent = sentPayments(headers);
  if (sent.length > MOST_SENT) throw validationError([{ field: 'PAYMENT-SIGNATURE', message: 'send one payment' }]);
  const read = sent.map(readPayment);
  const [first, ...others] = read
    .filter((payment) => 'authorization' in payment)
    .toSorted((one, other) => other.x402Version - one.x402Version);
  if (!first) return read[0] ?? null;
  if (others.every((other) => textOf(other) === textOf(first))) return first;
  throw validationError([
    { field: 'PAYMENT-SIGNATURE', message: 'send one payment; PAYMENT-SIGNATURE and X-PAYMENT hold different ones' },
  ]);
}

function textOf({ authorization }: PresentedPayment): string {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return [from, to, value, validAfter, validBefore, nonce].join(' ').toLowerCase();
}

// Only these members count. What else a client sends beside them, or leaves null, decides nothing.
const payload = z.looseObject({});
const paymentSchema = z.discriminatedUnion('x402Version', [
  z.object({ x402Version: z.literal(1), scheme: z.string(), network: z.string(), payload }),
  z.object({
    x402Version: z.literal(2),
    accepted: z.object({
      scheme: z.string(),
      network: z.string(),
      amount: z.string(),
      asset: z.string(),
      payTo: z.string(),
      maxTimeoutSeconds: z.number(),
      extra: z.record(z.string(), z.unknown()).nullish(),
    }),
    payload,
    extensions: z.unknown().optional(),
  }),
]);

function readPayment(header: string): PresentedPayment | { malformed: string } {
  const parsed = paymentSchema.safeParse(decode(header));
  if (!parsed.success) return { malformed: 'the header is not the base64 JSON of an x402 payment of version 1 or 2' };
  const { data } = parsed;
  const exact = eip3009Payload.safeParse(data.payload);
  if (!exact.success) return { malformed: 'the payment holds no EIP-3009 authorization' };
  if (data.x402Version === 1) {
    const { scheme, network } = data;
    return { x402Version: 1, scheme, network, accepted: null, ...exact.data };
  }
  const { accepted, extensions } = data;
  const { scheme, network } = accepted;
  return { x402Version: 2, scheme, network, accepted, ...exact.data, offeredTerms: offeredTerms(extensions) };
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
  const { network: id, amountMicro, bought: _, paymentId: __, ...common } = receipt;
  const extensions = await signedReceipt(signing, receipt);
  const amount = String(amountMicro);
  return {
    'payment-response': encode({ ...common, network: id, amount, ...(extensions ? { extensions } : {}) }),
    'x-payment-response': encode({ ...common, network: networkOf({ network: id }).v1Name }),
    // Spelled as in the other headers; another spelling would add a second header.
    'Cache-Control': 'no-store',
  };
}

/** Returns the outcome of a payment that was refused, or no headers: a request without a payment has no outcome. */
async function refusedOutcome(
  deps: Pick<Deps, 'signing'>,
  { code, receipt, reason, quote: { network } }: PaymentRefused,
): Promise<Record<string, string>> {
  if (receipt) return await settlementHeaders(deps, receipt);
  if (code === 'PAYMENT_REQUIRED') return {};
  // Version 1 knows the outcome of settlements only.
  return { 'payment-response': encode({ success: false, errorReason: reason, transaction: '', network }) };
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
  // The body has the whole sentence. Proxies bound the headers.
  const [why = ''] = error.message.split(';');
  const required: PaymentRequired = {
    ...paymentRequiredV2(error.quote, why),
    extensions: { ...(await signedOffer(deps.signing, error.quote, deps.clock.now())), ...bazaarOf(error.quote) },
  };
  return {
    headers: {
      ...(await refusedOutcome(deps, error)),
      'payment-required': encode(required),
      'Cache-Control': 'no-store',
    },
    body: { x402Version: 1, accepts: [requirementsV1(error.quote)], ...error.about },
  };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}
