import type { PaymentPayload } from '@x402/core/types';
import type { Tx } from './database.ts';

/** Money in: the subject is a submission (entry_fee) or a project (escrow). */
export type IncomingKind = 'entry_fee' | 'escrow';

/** Money out of the treasury: the subject is a payout. */
export type OutgoingKind = 'payout' | 'refund';

export type PaymentKind = IncomingKind | OutgoingKind;

/**
 * What is to be paid for what. Everything in it is frozen with its subject: the 402 and its retry are two requests,
 * and a client's signed answer must match to the letter.
 */
export type PaymentQuote = {
  kind: PaymentKind;
  /** A submission (entry_fee), a project (escrow) or a payout. */
  subjectId: string;
  /** CAIP-2. */
  network: string;
  /** The USDC contract, lower case. */
  asset: string;
  /** The treasury, lower case. */
  payTo: string;
  amountMicro: number;
  resourceUrl: string;
  description: string;
};

/** What became of a settlement, for the response headers of both x402 generations. */
export type SettlementReceipt = {
  success: boolean;
  /** Empty when there is none. */
  transaction: string;
  payer: string;
  amountMicro: number;
  /** CAIP-2. */
  network: string;
  /** A machine-readable code; set when `success` is false. */
  errorReason?: string;
};

/** A payer's signed EIP-3009 authorization, as text: values are uint256. */
export type SignedAuthorization = {
  from: string;
  to: string;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: string;
};

/** A payment that a request carried: its shape was checked, its truth was not. */
export type PresentedPayment = {
  x402Version: 1 | 2;
  scheme: string;
  network: string;
  /** What a v2 client says it agreed to; v1 clients do not say. */
  accepted: PaymentPayload['accepted'] | null;
  authorization: SignedAuthorization;
  signature: string;
};

/** A request's payment as read from its headers: one, an unreadable one, or none. */
export type PaymentInRequest = PresentedPayment | { malformed: string } | null;

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

export type PaymentTimes = {
  /** How long a request waits for an outcome before it answers PAYMENT_PENDING. */
  waitMs: number;
  /** How long whoever finds out an outcome keeps others from doing the same. */
  leaseMs: number;
};

/** How this deployment takes and makes payments. */
export type PaymentSetup = PaymentTimes & {
  handlers: Record<IncomingKind, PaymentHandler>;
  payoutHandlers: Record<OutgoingKind, PayoutHandler>;
  owedBack: OwedBack;
};
