import { withTransaction } from '../db/public.ts';
import { alertOperator } from '../events/public.ts';
import { type Booked, bookPayment, RETURNED } from './book-payment.ts';
import {
  ChainUnavailable,
  type AuthorizationQuery,
  type AuthorizationState,
  type PaidTransfer,
} from '../chain/types.ts';
import type { PreparedSettlement, X402Payment } from '../x402/types.ts';
import type { BookableSubject } from './types.ts';
import { payoutsStopped, whyStopped } from '../ledger/public.ts';
import { findSealedPayment, lockUnbooked, markFailed, type PaymentRow } from './queries.ts';
import { openPayment, type SealedPayment } from './sealed-payment.ts';
import { giveUpRefused, isPayeeRefused, REFUSED_PAYEE } from './refused-payee.ts';
import { signOutgoing, whyUnsigned } from './sign-payout.ts';
import { isOutgoing, readSettlement, type SettlementReport } from '../x402/public.ts';
import { idsOf, type PaymentDeps } from './deps.ts';
import { isLost } from './read-queries.ts';
import type { Tx } from '../db/database.ts';

/** The finding of one attempt. `unknown` leaves the row `settling`: the service never guesses an outcome. */
export type Resolution =
  | ({ outcome: 'settled' } & Booked)
  | { outcome: 'failed'; reason: string; txHash: string }
  | { outcome: 'unknown'; reason: string };

/**
 * - A first attempt: the claim was just committed, and no facilitator was asked to settle before. So the payment is settled
 *   at once, and a definite refusal proves that no transaction was broadcast.
 * - `pay`: the first attempt of a transfer out. Its claim was just committed; it is signed and settled at once.
 * - `settle`: asks the chain first. While the authorization is open, it is settled again: the token contract moves the
 *   money at most once.
 * - `check`: asks the chain only.
 */
export type ResolveMode = FirstAttempt | 'pay' | 'settle' | 'check';

/** Facts about the payment that only the claiming request knows, because the row does not hold them. */
export type FirstAttempt = {
  signed: X402Payment;
  /** From the facilitator's `verify`. */
  prepared?: PreparedSettlement | undefined;
  /** Carries the delivery of the request. */
  subject?: BookableSubject | undefined;
};

const WATCH_AGAIN_MS = 60_000;
// Facilitators refuse an authorization this close to its end.
const SETTLE_MARGIN_SECONDS = 6;

/** Makes one attempt to find out the outcome of a payment. The caller holds its lease; no transaction is open. */
export async function resolvePayment(deps: PaymentDeps, row: PaymentRow, mode: ResolveMode): Promise<Resolution> {
  try {
    if (typeof mode === 'object') return await settle(deps, row, mode);
    if (mode === 'pay') return await signAndSettle(deps, row);
    const result = await decide(deps, row, await deps.chain.authorization(authorizationQuery(row)));
    if (result.outcome !== 'unknown' || result.reason !== 'open' || mode === 'check') return result;
    return await settleAgain(deps, row);
  } catch (error) {
    const unsigned = await whyUnsigned(deps, row, error);
    if (unsigned !== null) return { outcome: 'unknown', reason: unsigned };
    if (!(error instanceof ChainUnavailable)) throw error;
    deps.log.warn({ ...idsOf(row), err: error }, 'the outcome of a payment is unknown: the chain did not answer');
    return { outcome: 'unknown', reason: 'chain_unavailable' };
  }
}

/** Settles a payment that the chain shows as open. */
async function settleAgain(deps: PaymentDeps, row: PaymentRow): Promise<Resolution> {
  // While the ledger has a mismatch the treasury pays nothing: neither signed payouts nor new signatures go out.
  const stop = await whyStopped(deps, deps.db);
  if (isOutgoing(row.kind) && (stop !== null || (await payoutsStopped(deps.db)) !== null)) {
    return { outcome: 'unknown', reason: 'payouts_stopped' };
  }
  if (isOutgoing(row.kind) && (await deps.payments.payoutHandlers[row.kind].isContradicted(deps.db, row.subjectId))) {
    return { outcome: 'unknown', reason: 'contradicted' };
  }
  // A restored database sends nothing: another payment may have bought this subject since.
  if (!isOutgoing(row.kind) && stop !== null) {
    return { outcome: 'unknown', reason: 'recovery_needed' };
  }
  if (!isExpired(deps, row) && (row.isSigned || !isOutgoing(row.kind))) return await settle(deps, row, null);
  // An expired authorization is dead once a final block says so. Settling it is useless.
  if (!isOutgoing(row.kind)) return { outcome: 'unknown', reason: 'expired' };
  if (await isPayeeRefused(deps, row)) return { outcome: 'unknown', reason: REFUSED_PAYEE };
  return await signAndSettle(deps, row);
}

function isExpired({ clock }: PaymentDeps, row: PaymentRow): boolean {
  return row.validBefore <= clock.now().getTime() / 1000 + SETTLE_MARGIN_SECONDS;
}

export function authorizationQuery(row: PaymentRow): AuthorizationQuery {
  const { payer, authNonce, payTo, amountMicro, validBefore, fromBlock } = row;
  return { payer, nonce: authNonce, payTo, amountMicro, validBefore, fromBlock };
}

async function signAndSettle(deps: PaymentDeps, row: PaymentRow): Promise<Resolution> {
  const made = await signOutgoing(deps, row);
  if (made === null) return { outcome: 'unknown', reason: 'decided_elsewhere' };
  return await settle(deps, made.row, { signed: made.signed });
}

async function settle(deps: PaymentDeps, row: PaymentRow, first: FirstAttempt | null): Promise<Resolution> {
  const report = await askFacilitator(deps, row, first);
  const query = authorizationQuery(row);
  let reverted = false;
  if (report.kind === 'transaction') {
    // The receipt decides, whatever the facilitator says about the transaction.
    const outcome = report.proof ?? (await deps.chain.transaction(report.txHash, query));
    if (outcome.state === 'paid') return await book(deps, row, outcome, first?.subject);
    reverted = outcome.state === 'reverted' || report.unpaid;
  }
  const result = await decide(deps, row, await deps.chain.authorization(query));
  if (result.outcome !== 'unknown' || result.reason !== 'open') return result;
  if (first !== null && endsPayment(row, report, reverted)) {
    return await fail(deps, row, {
      reason: report.reason,
      watched: true,
      heldUntil: row.leaseUntil,
      txHash: report.kind === 'transaction' ? report.txHash : '',
    });
  }
  return {
    outcome: 'unknown',
    reason: report.kind === 'transaction' && report.success ? 'transaction_not_found' : report.reason,
  };
}

/**
 * Tells whether the first settle call of a payment in ended it: the facilitator refused it, or its only broadcast reverted.
 * On later attempts an earlier call may still be in flight, and only the chain can end the payment. The same holds when
 * another process has taken the lease: it settles the payment too, and `heldUntil` guards against that. A payout never ends
 * this way: the treasury owes it, so the service tries again and signs again in place.
 */
function endsPayment(
  row: PaymentRow,
  report: SettlementReport,
  reverted: boolean,
): report is Exclude<SettlementReport, { kind: 'transaction'; success: true }> {
  if (isOutgoing(row.kind)) return false;
  return report.kind === 'refused' || (reverted && report.kind === 'transaction' && !report.success);
}

async function askFacilitator(
  deps: PaymentDeps,
  row: PaymentRow,
  first: FirstAttempt | null,
): Promise<SettlementReport> {
  const sealed = first ? null : await findSealedPayment(deps.db, row.id);
  const signed = first?.signed ?? (sealed && opened(deps, row.id, sealed));
  if (!signed) return { kind: 'unknown', reason: sealed ? 'signature_unreadable' : 'row_not_found' };
  try {
    return readSettlement(await deps.facilitator.settle(signed, first?.prepared));
  } catch (error) {
    // The facilitator may have broadcast the transaction before it failed.
    deps.log.warn({ ...idsOf(row), err: error }, 'the facilitator did not report the outcome of a settlement');
    return { kind: 'unknown', reason: 'facilitator_unavailable' };
  }
}

/** Null when the signature was sealed under another SECRETS_KEY: then only the chain can tell the outcome. */
function opened({ paymentSeals, log }: PaymentDeps, id: string, sealed: SealedPayment): X402Payment | null {
  try {
    return openPayment(paymentSeals, id, sealed);
  } catch (error) {
    log.error({ paymentId: id, err: error }, 'the signature of a payment cannot be opened');
    return null;
  }
}

/** Writes what the chain has decided; `open` decides nothing. */
async function decide(deps: PaymentDeps, row: PaymentRow, seen: AuthorizationState): Promise<Resolution> {
  if (isOutgoing(row.kind) && (seen.state === 'dead' || seen.state === 'void'))
    return await unspentPayout(deps, row, seen.state);
  switch (seen.state) {
    case 'paid':
      return await book(deps, row, seen);
    case 'dead':
      return await fail(deps, row, { reason: 'authorization_lapsed', watched: false, heldUntil: null, txHash: '' });
    case 'void':
      return await fail(deps, row, {
        reason: 'authorization_spent_elsewhere',
        watched: true,
        heldUntil: null,
        txHash: '',
      });
    case 'foreign':
      await alertOperator(deps, alertAbout('payment_foreign', row, 'No event shows its transfer.'));
      deps.log.error(
        { ...idsOf(row), payer: row.payer, nonce: row.authNonce, alert: 'payment_foreign' },
        'an authorization is used and no event says what used it: an operator must check',
      );
      return { outcome: 'unknown', reason: 'used_without_event' };
    case 'open':
      return { outcome: 'unknown', reason: 'open' };
  }
}

/** The treasury's authorization paid nothing. When it has expired, it is signed again; else its nonce was spent. */
async function unspentPayout(deps: PaymentDeps, row: PaymentRow, state: 'dead' | 'void'): Promise<Resolution> {
  if (isExpired(deps, row)) {
    if (state === 'dead' && (await isPayeeRefused(deps, row))) return await giveUpRefused(deps, row);
    return { outcome: 'unknown', reason: 'open' };
  }
  await alertOperator(deps, alertAbout('payout_nonce_spent', row, 'Its nonce was spent on something else.'));
  deps.log.error(
    { ...idsOf(row), nonce: row.authNonce, alert: 'payout_nonce_spent' },
    'the nonce of a payout was canceled or spent on something else: an operator must check',
  );
  return { outcome: 'unknown', reason: 'authorization_spent_elsewhere' };
}

function alertAbout(
  alert: 'payout_nonce_spent' | 'payment_foreign' | 'payment_not_booked',
  { id, payer, authNonce }: PaymentRow,
  message: string,
) {
  return { alert, subject: `payment:${id}`, message, details: { payer, nonce: authNonce } };
}

async function book(
  deps: PaymentDeps,
  row: PaymentRow,
  transfer: PaidTransfer,
  subject?: BookableSubject,
): Promise<Resolution> {
  try {
    const booked = await bookPayment(deps, row, transfer, subject);
    if (booked === null) return { outcome: 'failed', reason: RETURNED, txHash: transfer.txHash };
    return { outcome: 'settled', ...booked };
  } catch (error) {
    if (error instanceof ChainUnavailable) throw error;
    // The money has arrived. The next attempt books it.
    await alertOperator(deps, alertAbout('payment_not_booked', row, 'Its booking failed; the service retries.'));
    deps.log.error(
      { ...idsOf(row), err: error, alert: 'payment_not_booked' },
      'a payment on chain could not be booked',
    );
    return { outcome: 'unknown', reason: 'booking_failed' };
  }
}

/** After the end of a payment: tells its subject if one vanished from the chain and now none can pay for it. */
export async function tellLost(deps: PaymentDeps, tx: Tx, { kind, subjectId }: PaymentRow): Promise<void> {
  if (isOutgoing(kind) || !(await isLost(tx, kind, subjectId))) return;
  await deps.payments.subjects[kind].lost?.(tx, subjectId, deps.clock.now());
}

async function fail(
  deps: PaymentDeps,
  row: PaymentRow,
  { reason, watched, heldUntil, txHash }: { reason: string; watched: boolean; heldUntil: Date | null; txHash: string },
): Promise<Resolution> {
  const sweepAt = new Date(deps.clock.now().getTime() + WATCH_AGAIN_MS);
  const failed = await withTransaction(deps.db, async (tx) => {
    // A claim for the same subject may hold the subject's lock and wait for a change of this row. So the row is locked
    // first, and changed only after the subject's lock.
    const current = await lockUnbooked(tx, row.id);
    const isHeld = heldUntil === null || current?.leaseUntil?.getTime() === heldUntil.getTime();
    if (current?.state !== 'settling' || !isHeld) return false;
    if (!isOutgoing(row.kind)) await deps.payments.subjects[row.kind].release?.(tx, row.subjectId);
    const isFailed = await markFailed(tx, row.id, { error: reason, watched, heldUntil, sweepAt });
    if (!watched) await tellLost(deps, tx, current);
    return isFailed;
  });
  // Another process decided meanwhile: the row holds its outcome.
  return failed ? { outcome: 'failed', reason, txHash } : { outcome: 'unknown', reason: 'decided_elsewhere' };
}
