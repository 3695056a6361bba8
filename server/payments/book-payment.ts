import { recordAudit } from '../audit/public.ts';
import { withTransaction } from '../db/public.ts';
import { TREASURY, payableAccount, type JournalLine, postJournal } from '../ledger/public.ts';
import type { PaidTransfer } from '../ports/chain.ts';
import { findPayment, lockUnbooked, markSettled, type PaymentRow } from './queries.ts';
import type { PaymentDeps } from './deps.ts';
import { isOutgoing } from '../x402/public.ts';
import { arrivedIn } from './stray.ts';
import type { Tx } from '../ports/database.ts';
import type { IncomingKind, OutgoingKind, BookedPayment } from '../ports/payments.ts';

/** A payment whose transfer is on chain and in the books. */
export type SettledPayment = PaymentRow & { state: 'settled'; txHash: string; logIndex: number; settledAt: Date };

/** What the request that paid writes besides, where the payment is booked as what it was paid for. */
export type Alongside = {
  write(tx: Tx): Promise<void>;
  /** Called once that is committed; where it is not, it may still be so. Must not throw. */
  written(): void;
};

/**
 * Writes what the chain has proven, in one transaction: the row, what it means for its subject, and the journal. Booking
 * twice books once. A payment that had been given up counts for nothing any more and is owed back.
 */
export async function bookPayment(
  deps: PaymentDeps,
  known: PaymentRow,
  transfer: PaidTransfer,
  alongside?: Alongside,
): Promise<SettledPayment> {
  const { id, kind } = known;
  const booked = await withTransaction(deps.db, async (tx) => {
    if (isOutgoing(kind)) return await bookPaidOut(deps, tx, { id, kind, transfer });
    return await bookTakenIn(deps, tx, { ...known, kind, transfer, alongside });
  });
  if (booked && !booked.late) alongside?.written();
  const row = booked ?? (await findPayment(deps.db, id));
  if (!isSettled(row)) throw new Error(`payment ${id} was not booked`);
  deps.balances.drop(row.payer);
  deps.balances.drop(row.payTo);
  return row;
}

/** What a transfer means to the books; `owed` says why money that came in belongs to its payer still. */
type Meaning = { journal: string; lines: JournalLine[]; owed: string | null };

/** Two round trips between begin and commit: all locks, and all that is written. Owed back, it takes what that takes. */
async function bookTakenIn(
  deps: PaymentDeps,
  tx: Tx,
  known: Pick<PaymentRow, 'id' | 'subjectId' | 'network'> & {
    kind: IncomingKind;
    transfer: PaidTransfer;
    alongside: Alongside | undefined;
  },
): Promise<PaymentRow | null> {
  const { id, kind, transfer } = known;
  // In this order: the payment, then its subject. A settled one's transfer is no stray that could be claimed.
  const [row, bookSubject, account] = await Promise.all([
    lockUnbooked(tx, id),
    deps.payments.handlers[kind].lock(tx, known.subjectId),
    arrivedIn(tx, known, transfer),
  ]);
  if (row === null) return null;
  const payment = bookedPayment(row, transfer, deps.clock.now());
  const outcome =
    row.state === 'failed' ? { refused: 'executed after it had been given up' } : await bookSubject(payment);
  const debit = { account, amountMicro: row.amountMicro };
  if ('creditTo' in outcome) {
    const lines = [debit, { account: outcome.creditTo, amountMicro: -row.amountMicro }];
    const written = write(deps, tx, { row, payment, transfer, meaning: { journal: kind, lines, owed: null } });
    const [settled] = await Promise.all([written, outcome.writes, known.alongside?.write(tx)]);
    return settled;
  }
  const owed = outcome.refused;
  const lines = [debit, { account: payableAccount(row.payer), amountMicro: -row.amountMicro }];
  const settled = await write(deps, tx, { row, payment, transfer, meaning: { journal: 'late_payment', lines, owed } });
  await deps.payments.owedBack(tx, payment);
  deps.log.warn({ paymentId: id, payer: row.payer, reason: owed }, 'payment owed back to its payer');
  return settled;
}

async function bookPaidOut(
  deps: PaymentDeps,
  tx: Tx,
  { id, kind, transfer }: { id: string; kind: OutgoingKind; transfer: PaidTransfer },
): Promise<PaymentRow | null> {
  const row = await lockUnbooked(tx, id);
  if (row === null) return null;
  const payment = bookedPayment(row, transfer, deps.clock.now());
  const { debitFrom } = await deps.payments.payoutHandlers[kind].booked(tx, payment);
  const lines = [
    { account: debitFrom, amountMicro: payment.amountMicro },
    { account: TREASURY, amountMicro: -payment.amountMicro },
  ];
  return await write(deps, tx, { row, payment, transfer, meaning: { journal: kind, lines, owed: null } });
}

/** Sent without waiting in between. */
async function write(
  deps: PaymentDeps,
  tx: Tx,
  {
    row,
    payment,
    transfer,
    meaning,
  }: { row: PaymentRow; payment: BookedPayment; transfer: PaidTransfer; meaning: Meaning },
): Promise<PaymentRow> {
  const { at } = payment;
  const { journal, lines, owed } = meaning;
  const settled = { transfer, late: owed !== null, error: owed, now: at };
  await Promise.all([
    markSettled(tx, row.id, settled),
    postJournal(tx, { id: deps.newId(), kind: journal, paymentId: row.id, at, lines }),
    recordAudit(deps, tx, auditLine(payment, meaning)),
  ]);
  return {
    ...row,
    state: 'settled',
    late: settled.late,
    txHash: transfer.txHash,
    logIndex: transfer.logIndex,
    error: owed,
    settledAt: at,
    watched: false,
    leaseUntil: null,
  };
}

function auditLine({ id, kind, subjectId, payer, payTo, amountMicro, txHash, at }: BookedPayment, { owed }: Meaning) {
  return {
    at,
    actor: 'service',
    action: owed === null ? 'payment.settle' : 'payment.owe_back',
    subject: `payment:${id}`,
    reason: owed,
    details: { kind, subject_id: subjectId, payer, pay_to: payTo, amount_micro: amountMicro, tx_hash: txHash },
  };
}

function bookedPayment(row: PaymentRow, { txHash }: PaidTransfer, at: Date): BookedPayment {
  const { id, kind, subjectId, network, asset, payer, payTo, amountMicro } = row;
  return { id, kind, subjectId, network, asset, payer, payTo, amountMicro, at, txHash };
}

export function isSettled(row: PaymentRow | null): row is SettledPayment {
  return (
    row !== null && row.state === 'settled' && row.txHash !== null && row.logIndex !== null && row.settledAt !== null
  );
}
