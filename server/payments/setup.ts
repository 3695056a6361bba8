import type { TransactionSql } from 'postgres';
import type { CheckObligations } from '../reconciliation/obligations.ts';
import type { IncomingKind, OutgoingKind, PaymentKind } from '../x402/quote.ts';

// `Tx` of context.ts, which names this file's types in turn.
type Tx = TransactionSql<{ bigint: number }>;

/** What a handler may know of the payment; `at` is the time of booking. */
export type BookedPayment = {
  id: string;
  kind: PaymentKind;
  subjectId: string;
  network: string;
  asset: string;
  payer: string;
  payTo: string;
  amountMicro: number;
  txHash: string;
  at: Date;
};

/**
 * Where the subject takes the money. `creditTo` is the ledger account that now holds it; `writes` are statements that
 * were sent and travel with the journal. `refused`: the subject no longer takes it, and the money is owed back
 * to the payer.
 */
export type Booking = { creditTo: string; writes?: Promise<unknown> } | { refused: string };

/**
 * Given at composition by the domain that owns the subject of a kind of payment, and called in the transaction that
 * books one: `lock` is sent along with the payment's own lock, and what it resolves to says, and writes, what the
 * payment means. Throwing rolls the booking back; it is tried again until it works.
 */
export type PaymentHandler = {
  lock(tx: Tx, subjectId: string): Promise<(payment: BookedPayment) => Booking | Promise<Booking>>;
};

/**
 * Money out, once its row is locked: `debitFrom` is the ledger account that it was paid from. What follows from it is
 * written here too, before the journal: subjects are locked before accounts, by everybody.
 */
export type PayoutHandler = {
  booked(tx: Tx, payment: BookedPayment): Promise<{ debitFrom: string }>;
};

/** Money in that nobody takes, as booked: whoever owes it back writes that down in the same transaction. */
export type OwedBack = (tx: Tx, payment: BookedPayment) => Promise<void>;

/** How this deployment takes and makes payments. */
export type PaymentSetup = PaymentTimes & {
  handlers: Record<IncomingKind, PaymentHandler>;
  payoutHandlers: Record<OutgoingKind, PayoutHandler>;
  owedBack: OwedBack;
  obligations: CheckObligations;
};

export type PaymentTimes = {
  /** How long a request waits for an outcome before it answers PAYMENT_PENDING. */
  waitMs: number;
  /** How long whoever finds out an outcome keeps others from doing the same. */
  leaseMs: number;
};

/** 15 s of waiting fit into every client's patience; the lease outlives them. */
export const PAYMENT_TIMES: PaymentTimes = { waitMs: 15_000, leaseMs: 30_000 };
