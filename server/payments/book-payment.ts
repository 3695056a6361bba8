import { recordAudit } from '../audit/record-audit.ts';
import type { Tx } from '../context.ts';
import { withTransaction } from '../db/transaction.ts';
import { TREASURY, payableAccount } from '../ledger/accounts.ts';
import type { JournalLine } from '../ledger/journal.ts';
import { postJournal } from '../ledger/post-journal.ts';
import type { PaidTransfer } from './chain.ts';
import { findPayment, lockUnbooked, markSettled, type PaymentRow } from './queries.ts';
import type { PaymentDeps } from './deps.ts';
import { type IncomingKind, isOutgoing, type OutgoingKind } from './quote.ts';
import type { BookedPayment } from './setup.ts';
import { arrivedIn } from './stray.ts';

/** A payment whose transfer is on chain and in the books. */
export type SettledPayment = PaymentRow & { state: 'settled'; txHash: string; logIndex: number; settledAt: Date };

/**
 * Writes what the chain has proven, in one transaction: the row, what it means for its subject, and the journal.
 * Booking twice books once. A payment that had been given up counts for nothing any more and is owed back.
 */
export async function bookPayment(deps: PaymentDeps, id: string, transfer: PaidTransfer): Promise<SettledPayment> {
  const booked = await withTransaction(deps.db, async (tx) => {
    const row = await lockUnbooked(tx, id);
    return row === null ? null : await book(deps, tx, row, transfer);
  });
  const row = booked ?? (await findPayment(deps.db, id));
  if (!isSettled(row)) throw new Error(`payment ${id} was not booked`);
  deps.balances.drop(row.payer);
  deps.balances.drop(row.payTo);
  return row;
}

async function book(deps: PaymentDeps, tx: Tx, row: PaymentRow, transfer: PaidTransfer): Promise<PaymentRow> {
  const now = deps.clock.now();
  const payment = bookedPayment(row, transfer, now);
  const meaning = isOutgoing(row.kind)
    ? await paidOut(deps, tx, row.kind, payment)
    : await takenIn(deps, tx, row, { ...transfer, kind: row.kind, payment });
  const settled = { transfer, late: meaning.owed !== null, error: meaning.owed, now };
  await Promise.all([
    markSettled(tx, row.id, settled),
    postJournal(tx, { id: deps.newId(), kind: meaning.journal, paymentId: row.id, at: now, lines: meaning.lines }),
    recordAudit(deps, tx, auditLine(payment, meaning)),
  ]);
  await meaning.afterwards();
  if (meaning.owed !== null)
    deps.log.warn({ paymentId: row.id, payer: row.payer, reason: meaning.owed }, 'payment owed back to its payer');
  return {
    ...row,
    state: 'settled',
    late: settled.late,
    txHash: transfer.txHash,
    logIndex: transfer.logIndex,
    error: meaning.owed,
    settledAt: now,
    watched: false,
    leaseUntil: null,
  };
}

/** What a transfer means to the books; `owed` says why money that came in belongs to its payer still. */
type Meaning = { journal: string; lines: JournalLine[]; owed: string | null; afterwards(): Promise<void> };

async function takenIn(
  deps: PaymentDeps,
  tx: Tx,
  row: PaymentRow,
  { kind, payment, ...transfer }: PaidTransfer & { kind: IncomingKind; payment: BookedPayment },
): Promise<Meaning> {
  const [outcome, account] = await Promise.all([
    row.state === 'failed'
      ? { refused: 'executed after it had been given up' }
      : deps.payments.handlers[kind].booked(tx, payment),
    arrivedIn(tx, row, transfer),
  ]);
  const debit = { account, amountMicro: row.amountMicro };
  if ('creditTo' in outcome) {
    const lines = [debit, { account: outcome.creditTo, amountMicro: -row.amountMicro }];
    return { journal: kind, lines, owed: null, afterwards: async () => {} };
  }
  return {
    journal: 'late_payment',
    lines: [debit, { account: payableAccount(row.payer), amountMicro: -row.amountMicro }],
    owed: outcome.refused,
    afterwards: () => deps.payments.owedBack(tx, payment),
  };
}

async function paidOut(deps: PaymentDeps, tx: Tx, kind: OutgoingKind, payment: BookedPayment): Promise<Meaning> {
  const { debitFrom, afterwards } = await deps.payments.payoutHandlers[kind].booked(tx, payment);
  const lines = [
    { account: debitFrom, amountMicro: payment.amountMicro },
    { account: TREASURY, amountMicro: -payment.amountMicro },
  ];
  return { journal: kind, lines, owed: null, afterwards };
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
