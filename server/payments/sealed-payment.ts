import type { JSONValue } from '../db/database.ts';
import type { X402Payment } from '../x402/types.ts';
import type { AnswerSeals } from '../idempotency/types.ts';

/** A signed payment as its row holds it: the signature lies apart, sealed under a key that is not in the database. */
export type SealedPayment = {
  x402Version: 1 | 2;
  payload: JSONValue;
  requirements: JSONValue;
  /** Sealed; only the service's SECRETS_KEY opens it. */
  signature: Buffer;
};

/** The row of a payment that nobody has signed: a transfer out that is only claimed, or a transfer that the chain shows. */
export const UNSIGNED: Omit<SealedPayment, 'signature'> & { signature: null } = {
  x402Version: 2,
  payload: {},
  requirements: {},
  signature: null,
};

/** `X402Payment` is plain JSON, because its parts were rebuilt from checked ones; its types do not say so. */
type Signed = { payload: { signature: string } & Record<string, JSONValue> } & Record<string, JSONValue>;

/** @param id of the payment; the seal opens for this payment only */
export function sealPayment(
  seals: AnswerSeals,
  id: string,
  { x402Version, payload, requirements }: X402Payment,
): SealedPayment {
  const { payload: signed, ...rest } = payload as unknown as Signed;
  const { signature, ...authorized } = signed;
  return {
    x402Version,
    payload: { ...rest, payload: authorized },
    requirements: requirements as unknown as JSONValue,
    signature: seals.of('payment', id).seal(signature),
  };
}

/**
 * Returns the payment as the facilitator got it before.
 *
 * @throws Error when it was sealed under another key or for another payment
 */
export function openPayment(seals: AnswerSeals, id: string, { signature, ...sealed }: SealedPayment): X402Payment {
  const { payload, ...rest } = sealed.payload as unknown as Signed;
  const signed = { ...payload, signature: seals.of('payment', id).open(signature) };
  return { ...sealed, payload: { ...rest, payload: signed } } as unknown as X402Payment;
}
