import { isDeepStrictEqual } from 'node:util';
import { DomainError } from '../../contract/errors.ts';
import { withTransaction } from '../db/public.ts';
import { type Alongside, isSettled, type SettledPayment } from './book-payment.ts';
import { driveUntilKnown, outcomeOf, startWait, type Wait } from './await-outcome.ts';
import type { DriveResult } from './drive-payment.ts';
import type { Verification, X402Payment } from '../ports/facilitator.ts';
import {
  paymentFailed,
  paymentPending,
  type PaymentRefused,
  paymentRequired,
  type AuthorizationKey,
  authorizationKey,
  facilitatorPayment,
  mismatch,
  MAX_TIMEOUT_SECONDS,
} from '../x402/public.ts';
import { keepSigned } from './kept-payment.ts';
import { findStanding, insertPayment, type NewPayment, type PaymentRow } from './queries.ts';
import { explain, reasonCode, saysNonceUsed } from './settle-answer.ts';
import type { PaymentDeps } from './deps.ts';
import type { Queryable, Tx } from '../ports/database.ts';
import type { SettlementReceipt, PaymentInRequest, PresentedPayment, PaymentQuote } from '../ports/payments.ts';

export type PaymentHooks = {
  /** Recorded with the payment, trusted for nothing. */
  forwardedFor?: string;
  /** Throws what is wrong with the request itself: the payment is good, and nothing has been charged yet. */
  beforeClaim?(): void | Promise<void>;
  /**
   * Locks the subject and checks once more that it may be paid by this wallet (lower case), in the transaction that
   * claims the payment. Throws when it may not; writes nothing.
   */
  claim(tx: Tx, payer: string): Promise<void>;
  /** Called once the claim is committed: time for what writes nothing and tells nobody. Must not throw. */
  whileSettling?(): void;
  /**
   * Writes what follows from the payment in the transaction that books it: of the subject that the handler of its kind has
   * locked, and only where this request is the one that books it. When it fails nothing is booked until the next look.
   */
  alongside?: Alongside;
};

type Standing = Awaited<ReturnType<typeof findStanding>>;
export type KnownStanding = Standing & { key: AuthorizationKey | null };

export type CollectedPayment = {
  payment: SettledPayment;
  /** For the response headers; null when the request carried no payment. */
  receipt: SettlementReceipt | null;
};

// A claim is lost to another row at most once per row there is: the subject's live one and the authorization's own.
const MAX_ROUNDS = 5;
// An authorization that lives for long would have to be watched for long after it failed.
const MAX_VALIDITY_SECONDS = 3600;
const VERIFY_MS = 10_000;
const OWED_BACK = 'it came too late and is owed back to the paying wallet';

/**
 * Takes the price of a subject once, ever. Whoever comes with the price already paid needs no payment; a payment
 * whose outcome is unknown is waited for and never answered with a fresh 402.
 *
 * @throws PaymentRefused PAYMENT_REQUIRED without a payment, PAYMENT_FAILED with a bad or refused one
 * @throws DomainError PAYMENT_PENDING when the outcome is not known within the wait; INTERNAL_ERROR (503) when the
 *   facilitator does not answer and nothing was claimed
 */
export async function collectPayment(
  deps: PaymentDeps,
  quote: PaymentQuote,
  inRequest: PaymentInRequest,
  hooks: PaymentHooks,
  known?: KnownStanding,
): Promise<CollectedPayment> {
  const wait = startWait(deps.payments.waitMs);
  const presented = inRequest !== null && 'authorization' in inRequest ? inRequest : null;
  const key = presented && authorizationKey(quote, presented);
  const done = (payment: SettledPayment): CollectedPayment => ({
    payment,
    receipt: inRequest === null ? null : receiptOf(payment),
  });
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const standing =
      round === 1 && known && isDeepStrictEqual(known.key, key) ? known : await findStanding(deps.db, quote, key);
    if (standing.live) {
      const settled = await standingPayment(deps, quote, standing, wait);
      if (settled) return done(settled);
      continue;
    }
    if (inRequest === null) throw paymentRequired(quote);
    if (!presented) throw paymentFailed(quote, (inRequest as { malformed: string }).malformed);
    refuseUnfit(deps, quote, presented, standing.sameAuthorization);
    const signed = facilitatorPayment(quote, presented);
    const verdict = await verify(deps, quote, presented, signed);
    if (verdict === 'again') continue;
    await hooks.beforeClaim?.();
    const row = await claim(deps, quote, presented, signed, hooks);
    if (row === null) continue;
    const mode = verdict === 'moved' ? 'settle' : { signed, prepared: verdict.prepared, alongside: hooks.alongside };
    const driving = driveUntilKnown(deps, row, mode, wait);
    hooks.whileSettling?.();
    return done(settledOr402(quote, row, await driving));
  }
  throw paymentPending();
}

/**
 * What `collectPayment` asks first, for callers that have something to read themselves: asked beside it, the question
 * costs no round trip of its own. Asked for a network or token that turns out to be another, it is asked again.
 */
export async function readStanding(
  reader: Queryable,
  subject: Pick<PaymentQuote, 'kind' | 'subjectId' | 'network' | 'asset'>,
  inRequest: PaymentInRequest,
): Promise<KnownStanding> {
  const key = inRequest !== null && 'authorization' in inRequest ? authorizationKey(subject, inRequest) : null;
  return { key, ...(await findStanding(reader, subject, key)) };
}

/** The subject's own payment: settled, or waited for. Null when it failed and the presented one may be tried. */
async function standingPayment(
  deps: PaymentDeps,
  quote: PaymentQuote,
  { live, sameAuthorization }: Standing,
  wait: Wait,
): Promise<SettledPayment | null> {
  if (isSettled(live)) return live;
  if (live === null) return null;
  const result = await outcomeOf(deps, live, wait);
  if (live.id === sameAuthorization?.id) return settledOr402(quote, live, result);
  if (result.outcome === 'unknown') throw paymentPending();
  return result.outcome === 'settled' && !result.payment.late ? result.payment : null;
}

/** The outcome of the payment that this very request presents. */
function settledOr402(quote: PaymentQuote, row: PaymentRow, result: DriveResult): SettledPayment {
  if (result.outcome === 'unknown') throw paymentPending();
  if (result.outcome === 'settled' && !result.payment.late) return result.payment;
  if (result.outcome === 'settled') {
    throw paymentFailed(quote, OWED_BACK, receiptOf(result.payment));
  }
  const { payer, amountMicro, network } = row;
  const receipt = {
    success: false,
    transaction: result.txHash,
    payer,
    amountMicro,
    network,
    errorReason: result.reason,
  };
  throw paymentFailed(quote, explain(result.reason), receipt);
}

function receiptOf(payment: SettledPayment): SettlementReceipt {
  const { txHash, payer, amountMicro, network } = payment;
  return { success: true, transaction: txHash, payer, amountMicro, network };
}

/** What can be said without asking anybody. The subject has no live payment. */
function refuseUnfit(
  { clock }: PaymentDeps,
  quote: PaymentQuote,
  presented: PresentedPayment,
  used: PaymentRow | null,
): void {
  const why = mismatch(quote, presented);
  if (why) throw paymentFailed(quote, why);
  if (used !== null) throw usedBefore(quote, used);
  const endsInSeconds = Number(presented.authorization.validBefore) - clock.now().getTime() / 1000;
  if (endsInSeconds > MAX_TIMEOUT_SECONDS + MAX_VALIDITY_SECONDS) {
    throw paymentFailed(quote, `the authorization must end within ${MAX_VALIDITY_SECONDS} s`);
  }
}

function usedBefore(quote: PaymentQuote, used: PaymentRow): PaymentRefused {
  if (used.kind !== quote.kind || used.subjectId !== quote.subjectId) {
    return paymentFailed(quote, 'this signed payment was used for something else');
  }
  if (isSettled(used)) return paymentFailed(quote, OWED_BACK, receiptOf(used));
  return paymentFailed(quote, 'this signed payment failed before; sign a new one');
}

/**
 * Asks the facilitator whether the payment would settle; what it says where it would. `again`: by now the subject has a
 * payment of its own. `moved`: the authorization has already moved, or is just moving, exactly this money to us: it is
 * claimed and booked, not asked for again.
 */
async function verify(
  deps: PaymentDeps,
  quote: PaymentQuote,
  presented: PresentedPayment,
  signed: X402Payment,
): Promise<Verification | 'moved' | 'again'> {
  const verification = await askFacilitator(deps, signed);
  const { isValid, invalidReason } = verification;
  if (isValid) return verification;
  // While it was verified, another request may have claimed, even settled, this very payment: that is no refusal.
  const key = authorizationKey(quote, presented);
  const standing = await findStanding(deps.db, quote, key);
  if (standing.live || standing.sameAuthorization) return 'again';
  if (saysNonceUsed(invalidReason)) {
    const { state } = await deps.chain.authorization({
      payer: key.payer,
      nonce: key.authNonce,
      payTo: quote.payTo,
      amountMicro: quote.amountMicro,
      validBefore: Number(presented.authorization.validBefore),
      fromBlock: await deps.chain.searchStart(),
    });
    // Open: the facilitator saw a block that our node has not seen yet. It is claimed, and its outcome waited for.
    if (state === 'paid' || state === 'open') return 'moved';
  }
  throw paymentFailed(quote, explain(reasonCode(invalidReason)));
}

async function askFacilitator(deps: PaymentDeps, signed: X402Payment): Promise<Verification> {
  try {
    const verification = await Promise.race([deps.facilitator.verify(signed), startWait(VERIFY_MS).over]);
    if (verification !== 'over') return verification;
  } catch (cause) {
    deps.log.warn({ err: cause }, 'the facilitator did not verify a payment');
  }
  throw new DomainError('INTERNAL_ERROR', 'Payments can not be checked now. Nothing was charged; try again.', {
    status: 503,
    retryAfterSeconds: 5,
  });
}

/** Commits the signed payment before anything can move. Null when the subject or the authorization has a row by now. */
async function claim(
  deps: PaymentDeps,
  quote: PaymentQuote,
  presented: PresentedPayment,
  signed: X402Payment,
  hooks: PaymentHooks,
): Promise<PaymentRow | null> {
  const key = authorizationKey(quote, presented);
  const fromBlock = await deps.chain.searchStart();
  return await withTransaction(deps.db, async (tx) => {
    const now = deps.clock.now();
    const id = deps.newId();
    const payment: NewPayment = {
      ...key,
      id,
      kind: quote.kind,
      subjectId: quote.subjectId,
      payTo: quote.payTo,
      amountMicro: quote.amountMicro,
      validBefore: Number(presented.authorization.validBefore),
      kept: keepSigned(deps.paymentSeals, id, signed),
      fromBlock,
      forwardedFor: hooks.forwardedFor ?? null,
      now,
      leaseUntil: new Date(now.getTime() + deps.payments.leaseMs),
    };
    // The insert travels behind the subject's lock; it is taken back when the subject may not be paid.
    const [, row] = await Promise.all([hooks.claim(tx, key.payer), insertPayment(tx, payment)]);
    return row;
  });
}
