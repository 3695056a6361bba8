import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../contract/basics/errors.ts';
import { isSettled, type SettledPayment } from './book-payment.ts';
import { startChainWait } from './await-outcome.ts';
import { FacilitatorDenied, type Verification, type X402Payment } from '../x402/types.ts';
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
  saysEarly,
  saysExpired,
  saysNonceUsed,
} from '../x402/public.ts';
import { findLivePayment, type PaymentRow } from './queries.ts';
import type { PaymentDeps } from './deps.ts';
import type { PaymentQuote, PresentedPayment, SettlementReceipt } from './types.ts';

// The service watches a failed payment until its authorization ends. A longer life would mean a longer watch.
const MAX_END_SECONDS = MAX_TIMEOUT_SECONDS + 3600;
// How long a request waits until its payment is valid: the payer's clock is ahead, or the node's newest block is old.
const EARLY_WAIT_MS = 5_000;
const EARLY_PAUSE_MS = 1_000;
/** A node may simulate in a block of this age. It then refuses what has just become valid, and does not always say why. */
const OLD_BLOCK_MS = 15_000;
const SIMULATION_FAILED = /simulation_failed/;
const VERIFY_MS = 10_000;
/** A person has to change a setting. */
const DENIED_RETRY_SECONDS = 600;

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
  if (Number(validAfter) - nowSeconds > MAX_TIMEOUT_SECONDS)
    throw paymentUnfit(quote, 'validAfter lies in the future; sign one that is valid now, such as validAfter 0');
}

function usedBefore(quote: PaymentQuote, used: PaymentRow): PaymentRefused {
  if (used.kind !== quote.kind || used.subjectId !== quote.subjectId) {
    return paymentUnfit(quote, `this signed payment was used for something else; ${adviceFor(quote)}`);
  }
  // It is not the subject's live payment, so it came late. The transaction that booked it owes it back.
  if (isSettled(used)) return authorizationFailed(quote, { why: OWED_BACK, receipt: receiptOf(used) });
  return authorizationFailed(quote);
}

/** Anyone who has the text of a signed payment can present it. The answer tells the payer what to do next. */
function adviceFor({ kind }: PaymentQuote): string {
  const again = 'if you did not send it, somebody else had its text. Sign a new one, and send it only to this service';
  return kind === 'entry_fee'
    ? `${again}. If the wallet is linked to another agent since, prove it: POST /agents/me/wallet/challenge`
    : again;
}

const OWED_BACK = 'it came too late and is owed back to the paying wallet';

/** The refusal of a payment that settled in this request and that its subject did not take. */
export function owedBackRefusal(quote: PaymentQuote, payment: SettledPayment): PaymentRefused {
  return paymentUnfit(quote, OWED_BACK, { receipt: receiptOf(payment) });
}

function receiptOf({ id, txHash, payer, amountMicro, network }: SettledPayment): SettlementReceipt {
  return { success: true, paymentId: id, transaction: txHash, payer, amountMicro, network };
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
 * @throws DomainError INTERNAL_ERROR (503) when the facilitator does not answer, and for a payment that is not valid yet
 */
export async function verifyPayment(
  deps: PaymentDeps,
  quote: PaymentQuote,
  presented: PresentedPayment,
  { signed, fromBlock }: { signed: X402Payment; fromBlock: number },
): Promise<Verification | 'moved' | 'again'> {
  const verification = await verifyInTime(deps, presented, signed);
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
  const reason = reasonCode(invalidReason);
  const why = (await whyDelegateRefuses(deps, key.payer, reason)) ?? explain(reason);
  throw (isLate ? paymentUnfit : paymentFailed)(quote, why, { reason });
}

/** The token asks the contract to which an account delegates, and not the key of the account. Its payer may not know that. */
async function whyDelegateRefuses({ chain }: PaymentDeps, payer: string, reason: string): Promise<string | null> {
  if (!/signature|simulation_failed/.test(reason)) return null;
  const delegate = await chain.delegateOf?.(payer).catch(() => null);
  if (!delegate) return null;
  return `the account delegates (EIP-7702) to ${delegate}, and that contract does not accept the signature; sign as it asks, end the delegation, or pay from another wallet`;
}

/** Verifies a payment once it is valid. One that is early becomes valid by itself, so it is never a failed payment. */
async function verifyInTime(
  deps: PaymentDeps,
  { authorization }: PresentedPayment,
  signed: X402Payment,
): Promise<Verification> {
  const earlyMs = () => Number(authorization.validAfter) * 1000 - deps.clock.now().getTime();
  if (earlyMs() > EARLY_WAIT_MS) throw notValidYet(earlyMs());
  if (earlyMs() > 0) await sleep(earlyMs());
  for (let waitedMs = 0; waitedMs <= EARLY_WAIT_MS; waitedMs += EARLY_PAUSE_MS) {
    const verification = await askFacilitator(deps, signed);
    const { invalidReason: reason = '' } = verification;
    if (!saysEarly(reason) && !(earlyMs() > -OLD_BLOCK_MS && SIMULATION_FAILED.test(reason))) return verification;
    await sleep(EARLY_PAUSE_MS);
  }
  throw notValidYet(EARLY_WAIT_MS);
}

function notValidYet(earlyMs: number): DomainError {
  const seconds = Math.ceil(earlyMs / 1000);
  const message = `The payment is not valid yet, by its validAfter. Nothing was charged. Send the same request again in ${seconds} s.`;
  return new DomainError('INTERNAL_ERROR', message, { status: 503, retryAfterSeconds: seconds });
}

async function askFacilitator(deps: PaymentDeps, signed: X402Payment): Promise<Verification> {
  const wait = startChainWait(VERIFY_MS, deps.chain);
  try {
    const verification = await Promise.race([deps.facilitator.verify(signed), wait.over]);
    if (verification !== 'over') return verification;
  } catch (cause) {
    if (cause instanceof FacilitatorDenied) {
      deps.log.error({ alert: 'facilitator_denied', err: cause }, 'the facilitator turns this service away');
      throw new DomainError(
        'INTERNAL_ERROR',
        'The service cannot take payments until its operator has corrected its settings. Nothing was charged.',
        { status: 503, retryAfterSeconds: DENIED_RETRY_SECONDS },
      );
    }
    deps.log.warn({ err: cause }, 'the facilitator did not verify a payment');
  } finally {
    wait.end();
  }
  throw new DomainError('INTERNAL_ERROR', 'Payments cannot be verified right now. Nothing was charged; try again.', {
    status: 503,
    retryAfterSeconds: 5,
  });
}
