import { DomainError } from '../../contract/errors.ts';
import type { SettlementReceipt, PaymentQuote } from '../ports/payments.ts';

/**
 * A 402: the price was not paid (PAYMENT_REQUIRED) or the payment was refused (PAYMENT_FAILED). Carries the quote,
 * so that the answer always says what would be accepted.
 */
export class PaymentRefused extends DomainError {
  readonly quote: PaymentQuote;
  /** Set when a settlement was tried and failed. */
  readonly receipt: SettlementReceipt | null;
  /** Counts against the failed-payment limit: a payment came and was refused. A request without one does not. */
  readonly counted: boolean;

  constructor(
    code: 'PAYMENT_REQUIRED' | 'PAYMENT_FAILED',
    message: string,
    quote: PaymentQuote,
    receipt?: SettlementReceipt,
  ) {
    super(code, message);
    this.name = 'PaymentRefused';
    this.quote = quote;
    this.receipt = receipt ?? null;
    this.counted = code === 'PAYMENT_FAILED';
  }
}

export function paymentRequired(quote: PaymentQuote): PaymentRefused {
  return new PaymentRefused('PAYMENT_REQUIRED', `Payment required: ${quote.description}`, quote);
}

export function paymentFailed(quote: PaymentQuote, why: string, receipt?: SettlementReceipt): PaymentRefused {
  return new PaymentRefused('PAYMENT_FAILED', `Payment failed: ${why}`, quote, receipt);
}

/** Never a fresh 402 while an outcome is unknown: it would make the payer sign twice. */
export function paymentPending(): DomainError {
  return new DomainError(
    'PAYMENT_PENDING',
    'A payment for this is being settled and its outcome is not known yet. Send the same request again; do not pay again.',
    { retryAfterSeconds: 5 },
  );
}
