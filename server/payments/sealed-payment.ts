import type { JSONValue } from 'postgres';
import type { X402Payment } from '../ports/facilitator.ts';
import type { AnswerSeals } from '../ports/idempotency.ts';

/** A signed payment as its row keeps it: without its signature, which lies beside it under a key from outside. */
export type KeptPayment = {
  x402Version: 1 | 2;
  payload: JSONValue;
  requirements: JSONValue;
  /** Sealed; only the service's SECRETS_KEY opens it. */
  signature: Buffer;
};

/** Its parts were rebuilt from checked ones: plain JSON, which their types do not say. */
type Signed = { payload: { signature: string } & Record<string, JSONValue> } & Record<string, JSONValue>;

/** `id` of the payment: the seal of another one does not open. */
export function keepSigned(
  seals: AnswerSeals,
  id: string,
  { x402Version, payload, requirements }: X402Payment,
): KeptPayment {
  const { payload: signed, ...rest } = payload as unknown as Signed;
  const { signature, ...authorized } = signed;
  return {
    x402Version,
    payload: { ...rest, payload: authorized },
    requirements: requirements as unknown as JSONValue,
    signature: seals.of('payment', id).seal(signature),
  };
}

/** What the facilitator was given, and is given again. */
export function signedAgain(seals: AnswerSeals, id: string, { signature, ...kept }: KeptPayment): X402Payment {
  const { payload, ...rest } = kept.payload as unknown as Signed;
  const signed = { ...payload, signature: seals.of('payment', id).open(signature) };
  return { ...kept, payload: { ...rest, payload: signed } } as unknown as X402Payment;
}
