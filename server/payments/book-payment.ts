import { type Audited, recordAudit } from '../audit/public.ts';
import { withTransaction } from '../db/public.ts';
import { TREASURY, UNEXPLAINED, linesAgain, payableAccount, type JournalLine, postJournal } from '../ledger/public.ts';
import { ChainUnavailable, type PaidTransfer } from '../chain/types.ts';
import { findPayment, findRefund, lockUnbooked, markReturned, markSettled, type PaymentRow } from './queries.ts';
import { isScanned } from './read-queries.ts';
import { idsOf, type PaymentDeps } from './deps.ts';
import { isOutgoing } from '../x402/public.ts';
import { claimAdopted } from './strays/adopted.ts';
import { claimTransfer } from './strays/stray.ts';
import type { Tx } from '../db/database.ts';
import type { BookableSubject, IncomingKind, OutgoingKind, BookedPayment } from './types.ts';

/** A payment whose transfer is on chain and in the books. */
export type SettledPayment = PaymentRow & { state: 'settled'; txHash: string; logIndex: number; settledAt: Date };

const GIVEN_UP = 'executed after it had been given up';

/** The error of a payment whose transfer was given back to its payer before the payment was presented. */
export const RETURNED = 'returned_to_payer';

/** `delivered`: this very booking wrote the delivery of the request that waits. */
export type Booked = { payment: SettledPayment; delivered: boolean };

/**
 * Writes what the chain has proven, in one transaction: the row, its meaning for the subject, and the journal. Booking
 * a payment again changes nothing. A payment that had failed before counts for nothing: the service owes it back.
 *
 * Resolves to null when the operator gave the transfer back before: the payment has failed then.
 *
 * @throws ChainUnavailable when the transfer is not on the chain that the ledger check has read
 * @param subject what the payment is paid for; a waiting request hands in its own, which carries the delivery
 */
export async function bookPayment(
  deps: PaymentDeps,
  known: PaymentRow,
  transfer: PaidTransfer,
  subject?: BookableSubject,
): Promise<Booked | null> {
  const { id, kind } = known;
  const booked = isOutgoing(kind)
    ? await withTransaction(deps.db, (tx) => bookPaidOut(deps, tx, { ...known, kind, transfer }))
    : await bookIncoming(deps, { ...known, kind, transfer }, subject ?? deps.payments.subjects[kind]);
  const payment = booked?.row ?? (await findPayment(deps.db, id));
  if (payment?.state === 'failed' && payment.error === RETURNED) return null;
  if (!isSettled(payment)) throw new Error(`payment ${id} was not booked`);
  deps.balances.drop(payment.payer);
  deps.balances.drop(payment.payTo);
  return { payment, delivered: booked?.delivered ?? false };
}

type WrittenRow = { row: PaymentRow; delivered: boolean };

type IncomingTransfer = Pick<PaymentRow, 'id' | 'subjectId' | 'network'> & {
  kind: IncomingKind;
  transfer: PaidTransfer;
};

async function bookIncoming(
  deps: PaymentDeps,
  known: IncomingTransfer,
  subject: BookableSubject,
): Promise<WrittenRow | null> {
  return await withTransaction(deps.db, (tx) => writeIncoming(deps, tx, known, subject), {
    afterCommit(written) {
      if (written?.row.state === 'settled' && !written.row.late) subject.afterCommit?.();
    },
  });
}

/** The entries of a transfer in the books. `owed` is the reason when incoming money still belongs to its payer. */
type BookEntry = {
  journal: string;
  lines: JournalLine[];
  owed: string | null;
  /** The terms that the booking froze; without them, the payment keeps those of its quote. */
  termsHash?: string | undefined;
};

/**
 * Takes two round trips between BEGIN and COMMIT: one for all locks, one for all writes. It takes more for a refund,
 * and for a fee that links a wallet.
 */
async function writeIncoming(
  deps: PaymentDeps,
  tx: Tx,
  known: IncomingTransfer,
  subject: BookableSubject,
): Promise<WrittenRow | null> {
  const { id, kind, transfer } = known;
  // PostgreSQL runs them in this order: it locks the payment before its subject. A settled payment has claimed its stray
  // before, so the third statement finds none.
  const [row, bookSubject, account, scanned] = await Promise.all([
    lockUnbooked(tx, id),
    subject.lock(tx, known.subjectId),
    claimTransfer(tx, known, transfer),
    isScanned(tx, known.network, transfer.blockNumber),
  ]);
  if (row === null) return null;
  if (scanned && account === TREASURY) throw unproven(id, transfer);
  if (account === null) {
    if (row.state === 'settling') await subject.release?.(tx, known.subjectId);
    return { row: await markReturned(tx, id, RETURNED), delivered: false };
  }
  const payment = { ...row, txHash: transfer.txHash, at: deps.clock.now() };
  const debit = { account, amountMicro: row.amountMicro };
  if (row.vanishedFrom !== null && (row.state === 'settling' || (await findRefund(tx, id)))) {
    const entry = await entryAgain(deps, tx, { kind, payment, debit });
    return { row: await write(deps, tx, { payment, transfer, entry }), delivered: false };
  }
  const outcome = row.state === 'failed' ? { refused: GIVEN_UP } : await bookSubject(payment);
  if ('creditTo' in outcome) {
    const lines = [debit, { account: outcome.creditTo, amountMicro: -row.amountMicro }];
    const { termsHash } = outcome;
    const written = write(deps, tx, { payment, transfer, entry: { journal: kind, lines, owed: null, termsHash } });
    const [settled, delivered] = await Promise.all([written, outcome.writes]);
    return { row: settled, delivered: delivered ?? false };
  }
  const owed = outcome.refused;
  const lines = [debit, { account: payableAccount(row.payer), amountMicro: -row.amountMicro }];
  const settled = await write(deps, tx, { payment, transfer, entry: { journal: 'late_payment', lines, owed } });
  await deps.payments.refundLatePayment(tx, payment);
  deps.log.warn({ ...idsOf(row), payer: row.payer, reason: owed }, 'payment owed back to its payer');
  return { row: settled, delivered: false };
}

/** Returns how to book a vanished payment again: for its subject, or as owed back if it was so before. */
async function entryAgain(
  deps: PaymentDeps,
  tx: Tx,
  { kind, payment, debit }: { kind: IncomingKind; payment: PaymentRow & BookedPayment; debit: JournalLine },
): Promise<BookEntry> {
  if (payment.vanishedFrom === payableAccount(payment.payer))
    return { journal: 'late_payment', lines: await linesAgain(tx, payment.id, debit), owed: GIVEN_UP };
  const creditTo = await deps.payments.subjects[kind].settledAgain?.(tx, payment);
  const lines = creditTo
    ? [debit, { account: creditTo, amountMicro: -payment.amountMicro }]
    : await linesAgain(tx, payment.id, debit);
  return { journal: kind, lines, owed: null };
}

async function bookPaidOut(
  deps: PaymentDeps,
  tx: Tx,
  known: Pick<PaymentRow, 'id' | 'network'> & { kind: OutgoingKind; transfer: PaidTransfer },
): Promise<WrittenRow | null> {
  const { id, kind, transfer } = known;
  const [row, adopted, scanned] = await Promise.all([
    lockUnbooked(tx, id),
    claimAdopted(tx, known, transfer),
    isScanned(tx, known.network, transfer.blockNumber),
  ]);
  if (row === null) return null;
  if (scanned && !adopted) throw unproven(id, transfer);
  // An adopted transfer left the treasury's account before.
  const account = adopted ? UNEXPLAINED : TREASURY;
  const payment = { ...row, txHash: transfer.txHash, at: deps.clock.now() };
  const { debits } = await deps.payments.payoutHandlers[kind].booked(tx, payment, { again: row.vanishedFrom !== null });
  const lines = [...debits, { account, amountMicro: -payment.amountMicro }];
  const settled = await write(deps, tx, { payment, transfer, entry: { journal: kind, lines, owed: null } });
  return { row: settled, delivered: false };
}

/**
 * Each transfer in the blocks that were finally matched has a row: a payment, a stray, or an adopted transfer. So one without
 * a row comes from an answer that is older than a reorganization, or from a node on a fork. Booked, no check would ever look
 * at it again, and the books would stop all payouts.
 */
function unproven(id: string, { txHash, blockNumber }: PaidTransfer): ChainUnavailable {
  return new ChainUnavailable(
    new Error(`payment ${id}: ${txHash} was not in block ${blockNumber} when it was matched`),
  );
}

/** Sends all statements at once: they share one round trip. */
async function write(
  deps: PaymentDeps,
  tx: Tx,
  { payment, transfer, entry }: { payment: PaymentRow & BookedPayment; transfer: PaidTransfer; entry: BookEntry },
): Promise<PaymentRow> {
  const { id, at } = payment;
  const { journal, lines, owed, termsHash = payment.termsHash } = entry;
  const [settled] = await Promise.all([
    markSettled(tx, id, { transfer, late: owed !== null, error: owed, termsHash, now: at }),
    postJournal(tx, { id: deps.newId(), kind: journal, paymentId: id, at, lines }),
    recordAudit(deps, tx, auditLine(payment, entry)),
  ]);
  return settled;
}

function auditLine(
  { id, kind, subjectId, payer, payTo, amountMicro, txHash, at }: BookedPayment,
  { owed }: BookEntry,
): Audited {
  return {
    at,
    actor: 'service',
    action: owed === null ? 'payment.settle' : 'payment.owe_back',
    subject: `payment:${id}`,
    reason: owed,
    details: { kind, subject_id: subjectId, payer, pay_to: payTo, amount_micro: amountMicro, tx_hash: txHash },
  };
}

export function isSettled(row: PaymentRow | null): row is SettledPayment {
  return (
    row !== null && row.state === 'settled' && row.txHash !== null && row.logIndex !== null && row.settledAt !== null
  );
}
