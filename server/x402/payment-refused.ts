import { DomainError } from '../../contract/basics/errors.ts';
import type { SettlementReceipt, PaymentQuote } from '../payments/types.ts';

/**
 * A 402: no payment came (PAYMENT_REQUIRED), or the payment was refused (PAYMENT_FAILED). It carries the quote,
 * so that the answer always says which payment would be accepted.
 */
export class PaymentRefused extends DomainError {
  readonly quote: PaymentQuote;
  /** Set when a settlement was tried: it failed, or its payment came too late. */
  readonly receipt: SettlementReceipt | null;
  /** Why the payment was refused, as a code of the protocol: what a program reads without a settlement. */
  readonly reason: string;
  /** Further members of the JSON body: what the payer should know about the subject. */
  readonly about: Record<string, unknown>;
  /** Whether it counts against the limit of failed payments: its refusal cost a call to the chain or the facilitator. */
  readonly counted: boolean;

  constructor(
    code: 'PAYMENT_REQUIRED' | 'PAYMENT_FAILED',
    message: string,
    quote: PaymentQuote,
    {
      receipt,
      reason = 'invalid_payload',
      about = {},
      counted = false,
    }: {
      receipt?: SettlementReceipt | undefined;
      reason?: string | undefined;
      about?: Record<string, unknown> | undefined;
      counted?: boolean;
    } = {},
  ) {
    super(code, message);
    this.name = 'PaymentRefused';
    this.quote = quote;
    this.receipt = receipt ?? null;
    this.reason = reason;
    this.about = about;
    this.counted = counted;
  }
}

/** The answer to a request without a payment. */
export function paymentRequired(quote: PaymentQuote, about?: Record<string, unknown>): PaymentRefused {
  return new PaymentRefused('PAYMENT_REQUIRED', `Payment required: ${quote.description}`, quote, { about });
}

/** What a program reads of a refusal: the outcome of a settlement, or the code of a refusal before any settlement. */
type Refusal = { receipt?: SettlementReceipt; reason?: string };

/**
 * The answer to a payment that the facilitator or the chain refused. It counts as a failed payment. `why` completes the
 * sentence "Payment failed: …".
 */
export function paymentFailed(quote: PaymentQuote, why: string, refusal: Refusal = {}): PaymentRefused {
  return new PaymentRefused('PAYMENT_FAILED', `Payment failed: ${why}`, quote, { ...refusal, counted: true });
}

/**
 * The answer to a payment that is wrong by its own text, or that failed in another request. It costs nothing, so it does
 * not count as a failed payment.
 */
export function paymentUnfit(quote: PaymentQuote, why: string, refusal: Refusal = {}): PaymentRefused {
  return new PaymentRefused('PAYMENT_FAILED', `Payment failed: ${why}`, quote, refusal);
}

/** Why an authorization can pay for nothing any more, and the settlement if it moved money all the same. */
type UsedUp = { why?: string; receipt?: SettlementReceipt };

/**
 * The answer to an authorization that failed in an earlier request, or whose money is booked as owed back. The member
 * of the body tells programs so: signing with another nonce cannot pay twice.
 */
export function authorizationFailed(
  quote: PaymentQuote,
  { why = 'this signed payment failed before', receipt }: UsedUp = {},
): PaymentRefused {
  return new PaymentRefused('PAYMENT_FAILED', `Payment failed: ${why}; sign a new one`, quote, {
    receipt,
    about: { authorization_failed: true },
  });
}

/** The answer while an outcome is unknown. A fresh 402 would make the payer sign twice. */
export function paymentPending(): DomainError {
  return new DomainError(
    'PAYMENT_PENDING',
    'A payment for this is being settled and its outcome is not known yet. Send the same request again; do not pay again.',
    { retryAfterSeconds: 5 },
  );
}
