import type { Tx } from '../context.ts';
import { withTransaction } from '../db/transaction.ts';
import { TREASURY, payableAccount } from '../ledger/accounts.ts';
import { postJournal } from '../ledger/post-journal.ts';
import type { PaidTransfer } from './chain.ts';
import { findPayment, lockUnbooked, markSettled, type PaymentRow } from './queries.ts';
import type { PaymentDeps } from './deps.ts';

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
  const credit = await creditOf(deps, tx, row, transfer, now);
  const owed = 'owed' in credit ? credit.owed : null;
  const settled = { transfer, late: owed !== null, error: owed, now };
  await Promise.all([
    markSettled(tx, row.id, settled),
    postJournal(tx, {
      id: deps.newId(),
      kind: owed === null ? row.kind : 'late_payment',
      paymentId: row.id,
      at: now,
      lines: [
        { account: TREASURY, amountMicro: row.amountMicro },
        { account: 'owed' in credit ? payableAccount(row.payer) : credit.creditTo, amountMicro: -row.amountMicro },
      ],
    }),
  ]);
  if (owed !== null)
    deps.log.warn({ paymentId: row.id, payer: row.payer, reason: owed }, 'payment owed back to its payer');
  return {
    ...row,
    state: 'settled',
    late: settled.late,
    txHash: transfer.txHash,
    logIndex: transfer.logIndex,
    error: owed,
    settledAt: now,
    watched: false,
    leaseUntil: null,
  };
}

async function creditOf(
  deps: PaymentDeps,
  tx: Tx,
  row: PaymentRow,
  transfer: PaidTransfer,
  at: Date,
): Promise<{ creditTo: string } | { owed: string }> {
  if (row.state === 'failed') return { owed: 'executed after it had been given up' };
  const { id, kind, subjectId, network, asset, payer, payTo, amountMicro } = row;
  const outcome = await deps.payments.handlers[kind].booked(tx, {
    id,
    kind,
    subjectId,
    network,
    asset,
    payer,
    payTo,
    amountMicro,
    at,
    txHash: transfer.txHash,
  });
  return 'refused' in outcome ? { owed: outcome.refused } : outcome;
}

export function isSettled(row: PaymentRow | null): row is SettledPayment {
  return (
    row !== null && row.state === 'settled' && row.txHash !== null && row.logIndex !== null && row.settledAt !== null
  );
}
