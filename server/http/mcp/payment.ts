import { z } from 'zod';
import { DomainError } from '../../../contract/basics/errors.ts';
import { usdcNumber } from '../../../contract/basics/money.ts';
import { isObject, type Json } from './json-schema.ts';

// The x402 transport for MCP: a payment and its settlement travel in `_meta`, the price in the result of the tool. Inside
// the service they are the headers of x402 over HTTP, so a payment is the same whichever way it comes.

/** The `_meta` member of a call with its payment. */
export const PAYMENT = 'x402/payment';
/** The `_meta` member of a result with the settlement. */
export const SETTLEMENT = 'x402/payment-response';

/** The result of a tool until its price is paid: the `PaymentRequired` of x402 v2. */
export const paymentRequiredSchema = z
  .looseObject({
    x402Version: z.literal(2),
    error: z.string().optional(),
    resource: z.looseObject({ url: z.string() }),
    accepts: z.array(
      z.looseObject({
        scheme: z.string(),
        network: z.string(),
        amount: z.string().meta({ description: 'Microdollars' }),
        asset: z.string(),
        payTo: z.string(),
        maxTimeoutSeconds: z.number(),
      }),
    ),
  })
  .meta({
    description: `The price, with isError. Sign it and repeat the call with the payment in _meta["${PAYMENT}"]`,
  });

/** Returns the header that carries the payment of a call over HTTP; none without a payment. */
export function paymentHeader(payment: unknown): Record<string, string> {
  if (payment === undefined) return {};
  const isV1 = isObject(payment) && payment['x402Version'] === 1;
  return { [isV1 ? 'x-payment' : 'payment-signature']: Buffer.from(JSON.stringify(payment)).toString('base64') };
}

const signed = z.object({ payload: z.object({ authorization: z.object({ value: z.string().regex(/^\d{1,78}$/) }) }) });

/** @throws DomainError BUDGET_EXCEEDED if the payment moves more than `maxSpendMicro` */
export function requireSpend(payment: unknown, maxSpendMicro: number): void {
  const { data } = signed.safeParse(payment);
  // The operation refuses a payment without a readable value.
  if (data) requireWithin(BigInt(data.payload.authorization.value), maxSpendMicro);
}

/** @throws DomainError BUDGET_EXCEEDED if the price of a 402 is above `maxSpendMicro` */
export function requirePrice(required: Json | null, maxSpendMicro: number): void {
  const { data } = paymentRequiredSchema.safeParse(required);
  const [price] = data?.accepts ?? [];
  if (price) requireWithin(BigInt(price.amount), maxSpendMicro);
}

function requireWithin(micro: bigint, maxSpendMicro: number): void {
  if (micro <= BigInt(maxSpendMicro)) return;
  const cap = `max_spend (${usdcNumber(maxSpendMicro)} USDC)`;
  throw new DomainError('BUDGET_EXCEEDED', `Not charged: ${usdcNumber(Number(micro))} USDC is above ${cap}.`);
}

/** Returns the JSON of a base64 header of x402; null without one. */
export function readPaymentHeader(header: string | undefined): Json | null {
  if (header === undefined) return null;
  const value: unknown = JSON.parse(Buffer.from(header, 'base64').toString());
  return isObject(value) ? value : null;
}
