import { type Booked, bookPayment } from './book-payment.ts';
import {
  ChainUnavailable,
  type AuthorizationQuery,
  type AuthorizationState,
  type PaidTransfer,
} from '../ports/chain.ts';
import type { PreparedSettlement, X402Payment } from '../ports/facilitator.ts';
import type { BookableSubject } from '../ports/payable-subject.ts';
import { payoutsStopped } from '../ledger/public.ts';
import { type KeptPayment, signedAgain } from './sealed-payment.ts';
import { findKeptPayment, markFailed, type PaymentRow } from './queries.ts';
import { isOutgoing, readSettlement, type SettleAnswer } from '../x402/public.ts';
import { renewAuthorization } from './renew-authorization.ts';
import type { PaymentDeps } from './deps.ts';

/** What is known after one look. `unknown` leaves the row `settling`: the outcome is found out later, never guessed. */
export type DriveResult =
  | ({ outcome: 'settled' } & Booked)
  | { outcome: 'failed'; reason: string; txHash: string }
  | { outcome: 'unknown'; reason: string };

/**
 * - `first`: the claim was just committed and verified; nobody settled it before, so the signed payment is settled at
 *   once, and a definite refusal means that nothing was ever broadcast.
 * - `settle`: the chain is asked first; still open, it is settled again: the token contract moves the money at most once.
 * - `look`: the chain is asked, nothing else.
 */
export type DriveMode = FirstDrive | 'settle' | 'look';

/** What the claiming request knows about its payment and the row does not hold. */
type FirstDrive = {
  signed: X402Payment;
  /** From the facilitator's `verify`. */
  prepared?: PreparedSettlement | undefined;
  /** Carries the delivery of the request. */
  subject?: BookableSubject | undefined;
};

const WATCH_AGAIN_MS = 60_000;
// Facilitators refuse an authorization this close to its end.
const SETTLE_MARGIN_SECONDS = 6;

/** Finds out the outcome of a payment as far as one look can tell. The caller holds its lease; no transaction is open. */
export async function drivePayment(deps: PaymentDeps, row: PaymentRow, mode: DriveMode): Promise<DriveResult> {
  try {
    if (typeof mode === 'object') return await settle(deps, row, mode);
    const result = await decide(deps, row, await deps.chain.authorization(authorizationQuery(row)));
    if (result.outcome !== 'unknown' || result.reason !== 'open' || mode === 'look') return result;
    // While the books do not hold the treasury pays nothing: neither what is signed already, nor signed again.
    if (isOutgoing(row.kind) && (await payoutsStopped(deps.db)) !== null) {
      return { outcome: 'unknown', reason: 'payouts_stopped' };
    }
    if (!isOver(deps, row)) return await settle(deps, row, null);
    // Past its time it is dead as soon as a final block says so: only asking helps now.
    if (!isOutgoing(row.kind)) return { outcome: 'unknown', reason: 'expired' };
    const renewed = await renewAuthorization(deps, row);
    return renewed ? await settle(deps, renewed, null) : { outcome: 'unknown', reason: 'decided_elsewhere' };
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error;
    deps.log.warn({ paymentId: row.id, err: error }, 'outcome of a payment not known: the chain did not answer');
    return { outcome: 'unknown', reason: 'chain_unavailable' };
  }
}

function isOver({ clock }: PaymentDeps, row: PaymentRow): boolean {
  return row.validBefore <= clock.now().getTime() / 1000 + SETTLE_MARGIN_SECONDS;
}

export function authorizationQuery(row: PaymentRow): AuthorizationQuery {
  const { payer, authNonce, payTo, amountMicro, validBefore, fromBlock } = row;
  return { payer, nonce: authNonce, payTo, amountMicro, validBefore, fromBlock };
}

async function settle(deps: PaymentDeps, row: PaymentRow, first: FirstDrive | null): Promise<DriveResult> {
  const answer = await askFacilitator(deps, row, first);
  const query = authorizationQuery(row);
  let reverted = false;
  if (answer.kind === 'told') {
    // Whatever it says of the transaction, its receipt says more.
    const outcome = answer.proof ?? (await deps.chain.transaction(answer.txHash, query));
    if (outcome.state === 'paid') return await book(deps, row, outcome, first?.subject);
    reverted = outcome.state === 'reverted';
  }
  const result = await decide(deps, row, await deps.chain.authorization(query));
  if (result.outcome !== 'unknown' || result.reason !== 'open') return result;
  // Before the first settle call nothing was out, so a certain refusal, or the one broadcast reverted, ends it. Later
  // an earlier call may still be under way, and only the chain can end it; so it is when somebody has taken the lease
  // over by now, since they settle it too.
  // What the treasury owes is never given up: it is tried again, and signed again in place.
  if (
    !isOutgoing(row.kind) &&
    first !== null &&
    (answer.kind === 'refused' || (reverted && answer.kind === 'told' && !answer.success))
  ) {
    return await fail(deps, row, {
      reason: answer.reason,
      watched: true,
      heldUntil: row.leaseUntil,
      txHash: answer.kind === 'told' ? answer.txHash : '',
    });
  }
  return {
    outcome: 'unknown',
    reason: answer.kind === 'told' && answer.success ? 'transaction_not_found' : answer.reason,
  };
}

async function askFacilitator(deps: PaymentDeps, row: PaymentRow, first: FirstDrive | null): Promise<SettleAnswer> {
  const kept = first ? null : await findKeptPayment(deps.db, row.id);
  const signed = first?.signed ?? (kept && opened(deps, row.id, kept));
  if (!signed) return { kind: 'unknown', reason: kept ? 'signature_unreadable' : 'row_not_found' };
  try {
    return readSettlement(await deps.facilitator.settle(signed, first?.prepared));
  } catch (error) {
    // It may have broadcast before it broke.
    deps.log.warn({ paymentId: row.id, err: error }, 'the facilitator did not say what became of a settlement');
    return { kind: 'unknown', reason: 'facilitator_unavailable' };
  }
}

/** Null when it was sealed with another SECRETS_KEY: then the chain alone says what becomes of it. */
function opened({ paymentSeals, log }: PaymentDeps, id: string, kept: KeptPayment): X402Payment | null {
  try {
    return signedAgain(paymentSeals, id, kept);
  } catch (error) {
    log.error({ paymentId: id, err: error }, 'the signature of a payment can not be read');
    return null;
  }
}

/** Writes what the chain has decided; `open` decides nothing. */
async function decide(deps: PaymentDeps, row: PaymentRow, seen: AuthorizationState): Promise<DriveResult> {
  if (isOutgoing(row.kind) && (seen.state === 'dead' || seen.state === 'void')) return unspent(deps, row);
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
      deps.log.error(
        { paymentId: row.id, payer: row.payer, nonce: row.authNonce, alert: 'payment_foreign' },
        'an authorization is used up and no event says by what: an operator has to look',
      );
      return { outcome: 'unknown', reason: 'used_without_event' };
    case 'open':
      return { outcome: 'unknown', reason: 'open' };
  }
}

/** An authorization of the treasury that paid nothing: lapsed, which is mended by signing it again, or used up elsewhere. */
function unspent(deps: PaymentDeps, row: PaymentRow): DriveResult {
  if (isOver(deps, row)) return { outcome: 'unknown', reason: 'open' };
  deps.log.error(
    { paymentId: row.id, nonce: row.authNonce, alert: 'payout_nonce_spent' },
    'the nonce of a payout was cancelled or spent on something else: an operator has to look',
  );
  return { outcome: 'unknown', reason: 'authorization_spent_elsewhere' };
}

async function book(
  deps: PaymentDeps,
  row: PaymentRow,
  transfer: PaidTransfer,
  subject?: BookableSubject,
): Promise<DriveResult> {
  try {
    return { outcome: 'settled', ...(await bookPayment(deps, row, transfer, subject)) };
  } catch (error) {
    // The money is here, whatever kept it out of the books: it is booked by the next look.
    deps.log.error(
      { paymentId: row.id, err: error, alert: 'payment_not_booked' },
      'a paid payment could not be booked',
    );
    return { outcome: 'unknown', reason: 'booking_failed' };
  }
}

async function fail(
  deps: PaymentDeps,
  row: PaymentRow,
  { reason, watched, heldUntil, txHash }: { reason: string; watched: boolean; heldUntil: Date | null; txHash: string },
): Promise<DriveResult> {
  const now = deps.clock.now();
  const sweepAt = new Date(now.getTime() + WATCH_AGAIN_MS);
  const failed = await markFailed(deps.db, row.id, { error: reason, watched, heldUntil, now, sweepAt });
  // Somebody else decided meanwhile: whoever asks next reads it from the row.
  return failed ? { outcome: 'failed', reason, txHash } : { outcome: 'unknown', reason: 'decided_elsewhere' };
}
