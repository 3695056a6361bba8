import type { Db, Tx } from '../database.ts';

/** Money in: the subject is a submission (entry_fee) or a project (escrow). */
export type IncomingKind = 'entry_fee' | 'escrow';

/** Money out of the treasury: the subject is a payout. */
export type OutgoingKind = 'payout' | 'refund';

export type PaymentKind = IncomingKind | OutgoingKind;

/**
 * The price of one subject. Every field is frozen with the subject: the 402 and its retry are two requests, and the
 * client's signed payment must match the quote exactly.
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
  /**
   * The hash of the terms that the payer agrees to: `sha256:` and hex. Only an entry fee has terms before it is paid; the
   * booking of a prize freezes them. Null: its project opened before canonical terms existed.
   */
  termsHash?: string | null;
  /** Where the terms are, once there are any. */
  termsUrl?: string;
};

/** The outcome of a settlement, for the response headers of both x402 generations. */
export type SettlementReceipt = {
  success: boolean;
  /** For the log alone. Absent when no payment was made. */
  paymentId?: string;
  /** The transaction hash; empty when there is none. */
  transaction: string;
  payer: string;
  amountMicro: number;
  /** CAIP-2. */
  network: string;
  /** A machine-readable code; set when `success` is false. */
  errorReason?: string;
  /** Facts for the signed receipt. Absent when the payment bought nothing: it failed, or came too late. */
  bought?: {
    resourceUrl: string;
    /** The hash of the terms that the payer agreed to; null without terms. */
    termsHash: string | null;
    termsUrl?: string;
    /** When the payment was booked. */
    at: Date;
  };
};

/** A payer's signed EIP-3009 authorization. Values are uint256, as text. */
export type SignedAuthorization = {
  from: string;
  to: string;
  value: string;
  validAfter: string;
  validBefore: string;
  nonce: string;
};

type AcceptedRequirements = {
  asset: string;
  amount: string;
  payTo: string;
  maxTimeoutSeconds: number;
  /** The name and the version of the token's EIP-712 domain. */
  extra?: Record<string, unknown> | null | undefined;
};

/** A payment that a request carried. Its shape was checked; its signature and the payer's balance were not. */
export type PresentedPayment = {
  x402Version: 1 | 2;
  scheme: string;
  network: string;
  /** The requirements that a v2 client agreed to; null from a v1 client. */
  accepted: AcceptedRequirements | null;
  authorization: SignedAuthorization;
  signature: string;
  /** The hash of the terms in the offer that a v2 client sent back. */
  offeredTerms?: string | undefined;
};

/** A request's payment as read from its headers: a payment, an unreadable one, or null for none. */
export type PaymentInRequest = PresentedPayment | { malformed: string } | null;

/** A payment as its subject sees it while it is booked. `at` is the time of booking. */
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
 * Books money that leaves its subject. It writes what follows from it before any journal is written: every transaction
 * locks subjects before accounts.
 */
export type PayoutHandler = {
  /**
   * Books a settled transfer. Runs in the booking transaction, once the payment's row is locked, and resolves to the
   * ledger accounts that paid, with the amount of each. `again`: the transfer was booked before, and vanished from the chain.
   */
  booked(
    tx: Tx,
    payment: BookedPayment,
    how: { again: boolean },
  ): Promise<{ debits: { account: string; amountMicro: number }[] }>;
  /** Writes that a booked transfer is being sent again, because it vanished from the chain. Its journal was taken back. */
  vanished(tx: Tx, payoutId: string, at: Date): Promise<void>;
  /** Books an amount that its wallet's account `payable` owes from now on. The caller holds the payout's lock. */
  credited(tx: Tx, payoutId: string, at: Date): Promise<void>;
  /**
   * Gives up a transfer that did not happen and cannot happen any more: the token refuses its recipient. The caller holds the
   * lock of its payment, if it has one.
   */
  refused(tx: Tx, payoutId: string, at: Date): Promise<boolean>;
  /** Notes for the operator why a claimed payout is not signed yet. */
  delayed(db: Db, payoutId: string, note: string): Promise<void>;
  /** Whether a claimed payout must wait: the chain shows another end of its project, or lost a payment of it. */
  isContradicted(db: Db, payoutId: string): Promise<boolean>;
};

/** Records the refund of a payment that its subject refused, in the transaction that books the payment. */
export type RefundLatePayment = (tx: Tx, payment: BookedPayment) => Promise<void>;
