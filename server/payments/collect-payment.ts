import { NoConnection, withTransaction } from '../db/public.ts';
import { isSettled, type SettledPayment } from './book-payment.ts';
import { mustWait, newestCheck, requireCompared, requireSolvent, whyStopped } from '../ledger/public.ts';
import { resolveUntilKnown, awaitOutcome, startChainWait, type Wait } from './await-outcome.ts';
import type { FirstAttempt, Resolution } from './resolve-payment.ts';
import type { X402Payment } from '../x402/types.ts';
import {
  paymentFailed,
  paymentUnfit,
  paymentPending,
  paymentRequired,
  authorizationKey,
  facilitatorPayment,
  explain,
} from '../x402/public.ts';
import { sealPayment } from './sealed-payment.ts';
import { findLivePayment, insertPayment, type LivePayment, type PaymentRow } from './queries.ts';
import type { Queryable } from '../db/database.ts';
import type { PaymentDeps } from './deps.ts';
import { owedBackRefusal, receiptFor, refuseUnfit, verifyPayment } from './verify-payment.ts';
import type {
  BookableSubject,
  PayableSubject,
  SettlementReceipt,
  PaymentInRequest,
  PresentedPayment,
  PaymentQuote,
} from './types.ts';

/** A request that pays, or that asks for the price. */
export type PayingRequest<Order> = {
  order: Order;
  payment: PaymentInRequest;
  /** The verb may have read it in one round trip with its own rows. `collectPayment` reads it otherwise. */
  seen?: PaymentsSeen;
  /** Recorded with the payment; nothing trusts it. */
  forwardedFor?: string;
};

/** The payments that decide whether a subject needs one, and the newest check of the ledger. */
export type PaymentsSeen = LivePayment & { check: Awaited<ReturnType<typeof newestCheck>> };

export type CollectedPayment<Delivery> = {
  payment: SettledPayment;
  /** For the response headers; null when the request carried no payment. */
  receipt: SettlementReceipt | null;
  /** The delivery that this request prepared, when the booking recorded it. Undefined: the caller delivers now. */
  delivered: Delivery | undefined;
};

// A claim loses to another row at most twice: to the subject's live payment and to the authorization's own row.
const MAX_ROUNDS = 5;

/**
 * Takes the price of a subject once, ever. A request for a subject that is paid needs no payment. A request for a subject
 * whose payment is still settling waits for the outcome; it never gets a fresh 402.
 *
 * @throws PaymentRefused PAYMENT_REQUIRED without a payment, PAYMENT_FAILED with a bad or refused one
 * @throws DomainError PAYMENT_PENDING when the outcome is unknown after the wait; INTERNAL_ERROR (503) when the
 *   facilitator does not answer and nothing was claimed
 */
export async function collectPayment<Order, Delivery>(
  deps: PaymentDeps,
  subject: PayableSubject<Order, Delivery>,
  request: PayingRequest<Order>,
): Promise<CollectedPayment<Delivery>> {
  const wait = startChainWait(deps.payments.waitMs, deps.chain);
  return await collectWithin(wait, deps, subject, request).finally(() => wait.end());
}

/** Reads what `collectPayment` begins with. */
export async function seePayments(
  db: Queryable,
  subject: Pick<PaymentQuote, 'kind' | 'subjectId' | 'network' | 'asset'>,
  payment: PaymentInRequest,
): Promise<PaymentsSeen> {
  const key = payment !== null && 'authorization' in payment ? authorizationKey(subject, payment) : null;
  const [found, check] = await Promise.all([findLivePayment(db, subject, key), newestCheck(db)]);
  return { ...found, check };
}

async function collectWithin<Order, Delivery>(
  wait: Wait,
  deps: PaymentDeps,
  subject: PayableSubject<Order, Delivery>,
  { order, payment, seen: first, forwardedFor }: PayingRequest<Order>,
): Promise<CollectedPayment<Delivery>> {
  const quote = subject.quote(order);
  const presented = payment !== null && 'authorization' in payment ? payment : null;
  const done = (settled: SettledPayment, delivered?: Delivery): CollectedPayment<Delivery> => ({
    payment: settled,
    receipt: payment === null ? null : receiptFor(quote, settled),
    delivered,
  });
  for (let round = 1; round <= MAX_ROUNDS; round += 1) {
    const given = round === 1 ? first : undefined;
    const seen = given ?? (await deps.db.together((db) => seePayments(db, quote, payment)));
    if (seen.live) {
      const settled = await awaitLive(deps, quote, seen, wait);
      if (settled) return done(settled);
      continue;
    }
    requireSolvent(seen.check);
    if (!presented) throw unpaid(quote, payment, subject.describe?.(order));
    refuseUnfit(deps, quote, presented, seen.sameAuthorization);
    await subject.checkOrder?.(order, authorizationKey(quote, presented).payer);
    await requireCompared(deps, 'Nothing was charged');
    const signed = facilitatorPayment(quote, presented);
    // Before the verification, which finds an authorization that was used earlier. A node that answers late can therefore
    // not give a block after the use.
    const fromBlock = await deps.chain.searchStart();
    const verdict = await verifyPayment(deps, quote, presented, { signed, fromBlock });
    if (verdict === 'again') continue;
    if (verdict === 'moved') await requirePresenter(deps, subject, { order, quote, presented });
    const row = await claim(deps, subject, { order, quote, presented, signed, fromBlock, forwardedFor });
    if (row === null) continue;
    const prepared = verdict === 'moved' ? null : { signed, prepared: verdict.prepared };
    const { settled, delivered } = await settleClaimed(deps, subject, { order, quote, row, prepared }, wait);
    return done(settled, delivered);
  }
  throw paymentPending();
}

type Claimed<Order> = {
  order: Order;
  quote: PaymentQuote;
  row: PaymentRow;
  prepared: Omit<FirstAttempt, 'subject'> | null;
};

/** Settles the claimed payment, and prepares the delivery meanwhile. `prepared` is null for a payment that has moved. */
async function settleClaimed<Order, Delivery>(
  deps: PaymentDeps,
  subject: PayableSubject<Order, Delivery>,
  { order, quote, row, prepared }: Claimed<Order>,
  wait: Wait,
): Promise<{ settled: SettledPayment; delivered: Delivery | undefined }> {
  const delivery = Promise.withResolvers<Delivery | undefined>();
  const bookable = withDelivery(subject, delivery.promise, wait);
  const settling = resolveUntilKnown(deps, row, prepared ? { ...prepared, subject: bookable } : 'settle', wait);
  // The facilitator has been asked to settle by now: the delivery is prepared while the chain takes the payment.
  delivery.resolve(subject.prepare?.(order).catch(() => undefined));
  const { payment, delivered } = requireSettled(quote, row, await orPending(settling));
  return { settled: payment, delivered: delivered ? await delivery.promise : undefined };
}

/** The subject for the booking of this request. The booking takes the delivery along when it is ready and never waits. */
function withDelivery<Order, Delivery>(
  subject: PayableSubject<Order, Delivery>,
  preparing: Promise<Delivery | undefined>,
  { signal }: Wait,
): BookableSubject {
  return {
    async lock(tx, subjectId) {
      const [book, delivery] = await Promise.all([
        subject.lock(tx, subjectId),
        Promise.race([preparing, Promise.resolve(undefined)]),
      ]);
      return (payment) => book(payment, delivery, signal.aborted);
    },
    afterCommit: () => subject.afterCommit?.(),
  };
}

/** Returns the refusal of a request without a payment that can be read. */
function unpaid(quote: PaymentQuote, payment: PaymentInRequest, about: Record<string, unknown> | undefined) {
  return payment !== null && 'malformed' in payment
    ? paymentUnfit(quote, payment.malformed)
    : paymentRequired(quote, about);
}

/**
 * Waits for the subject's live payment. Null when that payment failed: the presented one may be tried. A failure of the
 * presented payment itself is not counted here, because it counts for the request that made the claim.
 */
async function awaitLive(
  deps: PaymentDeps,
  quote: PaymentQuote,
  { live, sameAuthorization }: LivePayment,
  wait: Wait,
): Promise<SettledPayment | null> {
  if (isSettled(live)) return live;
  if (live === null) return null;
  const result = await orPending(awaitOutcome(deps, live, wait));
  if (live.id === sameAuthorization?.id) return requireSettled(quote, live, result, paymentUnfit).payment;
  if (result.outcome === 'unknown') throw paymentPending();
  return result.outcome === 'settled' && !result.payment.late ? result.payment : null;
}

/**
 * A claimed payment that got no database connection is pending: the chain may have taken the money, and the sweeper or the next
 * request books it.
 */
async function orPending(resolving: Promise<Resolution>): Promise<Resolution> {
  return await resolving.catch((error: unknown) => {
    if (error instanceof NoConnection) return { outcome: 'unknown', reason: 'no_connection' };
    throw error;
  });
}

/** The outcome of the payment that this very request presents, when it paid for the subject. */
function requireSettled(
  quote: PaymentQuote,
  row: PaymentRow,
  result: Resolution,
  refuse = paymentFailed,
): Extract<Resolution, { outcome: 'settled' }> {
  if (result.outcome === 'unknown') throw paymentPending();
  if (result.outcome === 'settled' && !result.payment.late) return result;
  if (result.outcome === 'settled') throw owedBackRefusal(quote, result.payment);
  const { payer, amountMicro, network } = row;
  const receipt = {
    success: false,
    transaction: result.txHash,
    payer,
    amountMicro,
    network,
    errorReason: result.reason,
  };
  throw refuse(quote, explain(result.reason), { receipt });
}

/** Anybody can read an executed authorization on the chain. The subject says whose it may be; another one is a stray. */
async function requirePresenter<Order>(
  deps: PaymentDeps,
  subject: Pick<PayableSubject<Order>, 'mayPresent'>,
  { order, quote, presented }: { order: Order; quote: PaymentQuote; presented: PresentedPayment },
): Promise<void> {
  const { payer } = authorizationKey(quote, presented);
  if (!(await subject.mayPresent(deps.db, order, payer)))
    throw paymentFailed(
      quote,
      'its transfer was made before this request, and the paying wallet is not known to be yours; ask the operator to return the transfer',
    );
}

/** Commits the signed payment before any money can move. Null when the subject or the authorization has a row by now. */
async function claim<Order>(
  deps: PaymentDeps,
  subject: Pick<PayableSubject<Order>, 'claim'>,
  {
    order,
    quote,
    presented,
    signed,
    fromBlock,
    forwardedFor,
  }: {
    order: Order;
    quote: PaymentQuote;
    presented: PresentedPayment;
    signed: X402Payment;
    fromBlock: number;
    forwardedFor: string | undefined;
  },
): Promise<PaymentRow | null> {
  const key = authorizationKey(quote, presented);
  const claimed = withTransaction(deps.db, async (tx) => {
    const now = deps.clock.now();
    const id = deps.newId();
    const payment = {
      ...key,
      id,
      kind: quote.kind,
      subjectId: quote.subjectId,
      payTo: quote.payTo,
      amountMicro: quote.amountMicro,
      termsHash: quote.termsHash ?? null,
      validBefore: Number(presented.authorization.validBefore),
      sealed: sealPayment(deps.paymentSeals, id, signed),
      fromBlock,
      forwardedFor: forwardedFor ?? null,
      now,
      leaseUntil: new Date(now.getTime() + deps.payments.leaseMs),
    };
    // PostgreSQL runs the insert after the subject's lock; the two share a round trip. When the subject may not be paid,
    // the insert is rolled back.
    const [needed, allowed, inserted] = await Promise.allSettled([
      whyStopped(deps, tx),
      subject.claim(tx, order, key.payer),
      insertPayment(tx, payment),
    ]);
    // A live payment of the subject comes first: it may be the reason why the subject takes no other one.
    if (inserted.status === 'fulfilled' && inserted.value === null) throw new ClaimLost();
    if (allowed.status === 'rejected') throw allowed.reason;
    if (needed.status === 'rejected') throw needed.reason;
    if (needed.value !== null) throw mustWait(needed.value, 'Nothing was charged');
    if (inserted.status === 'rejected') throw inserted.reason;
    return inserted.value;
  });
  return await claimed.catch((error: unknown) => {
    if (error instanceof ClaimLost) return null;
    throw error;
  });
}

/** Rolls back what the subject wrote for a claim that came second. */
class ClaimLost extends Error {}
