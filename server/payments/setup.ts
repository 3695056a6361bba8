import type { TransactionSql } from 'postgres';
import type { CheckObligations } from './obligations.ts';
import type { IncomingKind, OutgoingKind, PaymentKind } from './quote.ts';

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
 * Where a payment's subject takes the money, in the transaction that books it; given at composition by the domain
 * that owns the subject. `creditTo` is the ledger account that now holds it. `refused`: the subject no longer takes
 * it, and the money is owed back to the payer. Throwing rolls the booking back; it is tried again until it works.
 */
export type PaymentHandler = {
  booked(tx: Tx, payment: BookedPayment): Promise<{ creditTo: string } | { refused: string }>;
};

/**
 * The same for money out. `debitFrom` is the ledger account that it was paid from; `afterwards` is what follows from it,
 * once the journal is written.
 */
export type PayoutHandler = {
  booked(tx: Tx, payment: BookedPayment): Promise<{ debitFrom: string; afterwards(): Promise<void> }>;
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
