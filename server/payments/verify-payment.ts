import { DomainError } from '../../contract/basics/errors.ts';
import { isSettled, type SettledPayment } from './book-payment.ts';
import { startChainWait } from './await-outcome.ts';
import type { Verification, X402Payment } from '../ports/facilitator.ts';
import {
  authorizationFailed,
  authorizationKey,
  MAX_TIMEOUT_SECONDS,
  mismatch,
  paymentFailed,
  paymentUnfit,
  type PaymentRefused,
  explain,
  reasonCode,
  saysExpired,
  saysNonceUsed,
} from '../x402/public.ts';
import { findLivePayment, type PaymentRow } from './queries.ts';
import type { PaymentDeps } from './deps.ts';
import type { PaymentQuote, PresentedPayment, SettlementReceipt } from '../ports/payments/payments.ts';

// The service watches a failed payment until its authorization ends. A longer life would mean a longer watch.
const MAX_END_SECONDS = MAX_TIMEOUT_SECONDS + 3600;
/** How far the clock of a block may be behind: the next block has reached the time. */
const CLOCK_SKEW_SECONDS = 2;
const VERIFY_MS = 10_000;

/**
 * Refuses what the service can tell without asking the facilitator. The subject has no live payment.
 *
 * @param used the row that this authorization already has
 * @throws PaymentRefused PAYMENT_FAILED
 */
export function refuseUnfit(
  { clock }: PaymentDeps,
  quote: PaymentQuote,
  presented: PresentedPayment,
  used: PaymentRow | null,
): void {
  const why = mismatch(quote, presented);
  if (why) throw paymentUnfit(quote, why);
  if (used !== null) throw usedBefore(quote, used);
  const nowSeconds = clock.now().getTime() / 1000;
  const { validAfter, validBefore } = presented.authorization;
  if (Number(validBefore) - nowSeconds > MAX_END_SECONDS)
    throw paymentUnfit(quote, `validBefore must be at most ${MAX_END_SECONDS} s from now`);
  if (Number(validAfter) > nowSeconds + CLOCK_SKEW_SECONDS)
    throw paymentUnfit(quote, 'validAfter lies in the future; sign one that is valid now, such as validAfter 0');
}

function usedBefore(quote: PaymentQuote, used: PaymentRow): PaymentRefused {
  if (used.kind !== quote.kind || used.subjectId !== quote.subjectId) {
    return paymentUnfit(quote, `this signed payment was used for something else; ${adviceFor(quote)}`);
  }
  if (isSettled(used)) return owedBackRefusal(quote, used);
  return authorizationFailed(quote);
}

/** Anyone who has the text of a signed payment can present it. The answer tells the payer what to do next. */
function adviceFor({ kind }: PaymentQuote): string {
  const again = 'if you did not send it, somebody else had its text. Sign a new one, and send it only to this service';
  return kind === 'entry_fee'
    ? `${again}. If the wallet is linked to another agent since, prove it: POST /agents/me/wallet/challenge`
    : again;
}

/** The refusal of a payment that was settled and that its subject did not take. */
export function owedBackRefusal(quote: PaymentQuote, payment: SettledPayment): PaymentRefused {
  return paymentUnfit(quote, 'it came too late and is owed back to the paying wallet', receiptOf(payment));
}

function receiptOf({ txHash, payer, amountMicro, network }: SettledPayment): SettlementReceipt {
  return { success: true, transaction: txHash, payer, amountMicro, network };
}

/** The receipt of a payment that its subject took. */
export function receiptFor({ resourceUrl, termsUrl }: PaymentQuote, payment: SettledPayment): SettlementReceipt {
  const { termsHash, settledAt: at } = payment;
  return { ...receiptOf(payment), bought: { resourceUrl, termsHash, at, ...(termsUrl ? { termsUrl } : {}) } };
}

/**
 * Asks the facilitator whether the payment would settle. The search for its transfer begins at `fromBlock`. Returns the
 * answer, or:
 * - `again`: the subject or the authorization got a payment meanwhile.
 * - `moved`: the authorization has moved exactly this money to the treasury, or is moving it now. The caller claims and
 *   books it, and does not ask for it again.
 *
 * @throws PaymentRefused PAYMENT_FAILED
 * @throws DomainError INTERNAL_ERROR (503) when the facilitator does not answer
 */
export async function verifyPayment(
  deps: PaymentDeps,
  quote: PaymentQuote,
  presented: PresentedPayment,
  { signed, fromBlock }: { signed: X402Payment; fromBlock: number },
): Promise<Verification | 'moved' | 'again'> {
  const verification = await askFacilitator(deps, signed);
  const { isValid, invalidReason } = verification;
  if (isValid) return verification;
  // Another request may have claimed, even settled, this very payment during the verification: that is no refusal.
  const key = authorizationKey(quote, presented);
  const found = await findLivePayment(deps.db, quote, key);
  if (found.live || found.sameAuthorization) return 'again';
  // An authorization that was executed in time is as good after its end.
  const hasExpired = saysExpired(invalidReason);
  if (hasExpired || saysNonceUsed(invalidReason)) {
    const { state } = await deps.chain.authorization({
      payer: key.payer,
      nonce: key.authNonce,
      payTo: quote.payTo,
      amountMicro: quote.amountMicro,
      validBefore: Number(presented.authorization.validBefore),
      fromBlock,
    });
    // `open`: the facilitator saw a block that our node has not seen yet. The payment is claimed and waited for.
    if (state === 'paid' || (state === 'open' && !hasExpired)) return 'moved';
  }
  const isLate = Number(presented.authorization.validBefore) <= deps.clock.now().getTime() / 1000;
  throw (isLate ? paymentUnfit : paymentFailed)(quote, explain(reasonCode(invalidReason)));
}

async function askFacilitator(deps: PaymentDeps, signed: X402Payment): Promise<Verification> {
  const wait = startChainWait(VERIFY_MS, deps.chain);
  try {
    const verification = await Promise.race([deps.facilitator.verify(signed), wait.over]);
    if (verification !== 'over') return verification;
  } catch (cause) {
    deps.log.warn({ err: cause }, 'the facilitator did not verify a payment');
  } finally {
    wait.end();
  }
  throw new DomainError('INTERNAL_ERROR', 'Payments cannot be verified right now. Nothing was charged; try again.', {
    status: 503,
    retryAfterSeconds: 5,
  });
}
