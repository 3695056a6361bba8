import type { Db, Tx, Queryable } from '../db/database.ts';
import type { z } from 'zod';
import type { uploadBody } from '../../contract/projects/submissions.ts';
import type { AgentCaller } from '../callers.ts';

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
  vanished(tx: Tx, payoutId: string): Promise<void>;
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

/** A request for an upload URL: it pays the entry fee of one submission. */
export type EntryFeeOrder = {
  agent: AgentCaller;
  submissionId: string;
  project: {
    id: string;
    network: string;
    asset: string;
    payTo: string;
    entryFeeMicro: number;
    /** The wallet that paid the prize, in lower case. It cannot pay an entry fee of this project. */
    fundingWallet: string;
    prizeMicro: number;
    platformFeePpm: number;
    totalSubmissions: number;
    maxEntries: number | null;
    placesTaken: number;
    /** The hash of the current terms. */
    termsHash: string;
  };
  /** The hash of the terms in the offer that the payment answers. A hash in the body comes first. */
  offeredTerms: string | undefined;
  /** @throws DomainError VALIDATION_ERROR when the description of the file is invalid, or the project has no such item */
  readFile(): z.output<typeof uploadBody>;
};

/** A request to publish a project: it pays the prize. */
export type PrizeOrder = {
  projectId: string;
  posterId: string;
  /** The prize that the poster saw. */
  prizeMicro: number;
};

/** The upload that an entry fee pays for: a row of `media_files`, and the URL that takes the file. */
export type PreparedUpload = {
  id: string;
  submissionId: string;
  item: number;
  uploadKey: string;
  originalName: string;
  contentType: string;
  sizeBytes: number;
  createdAt: Date;
  expiresAt: Date;
  url: string;
};

/**
 * Applies a settled payment to its subject. `creditTo` is the ledger account that holds the money from now on. `writes`
 * are statements that were sent and share the journal's round trip; it resolves to true when they include the delivery.
 * `termsHash` names terms that the booking froze. `refused` says why the subject no longer takes the money: the service
 * owes it back to the payer.
 */
export type Booking = { creditTo: string; termsHash?: string; writes?: Promise<boolean> } | { refused: string };

/** The part that a booking needs: the sweeper has no request, so it uses this part only. */
export type BookableSubject = {
  /**
   * Locks the subject in the transaction that books the payment. The statements are sent along with the payment's own
   * lock. Resolves to the function that decides about the payment and writes what follows from it. When anything here
   * throws, the booking is rolled back and tried again later.
   */
  lock(tx: Tx, subjectId: string): Promise<(payment: BookedPayment) => Booking | Promise<Booking>>;
  /** Called once, after the booking that took the money is committed. Must not throw. */
  afterCommit?(): void;
  /** Undoes what the claim wrote, in the transaction that marks the payment as failed. */
  release?(tx: Tx, subjectId: string): Promise<void>;
  /**
   * Writes that the subject is unpaid, in the transaction that takes a booked payment back: its transfer vanished. Resolves to
   * whether the service has kept the money.
   */
  vanished?(tx: Tx, payment: { id: string; subjectId: string }): Promise<boolean>;
  /**
   * Writes that the subject is paid after all, in the transaction that books such a payment again. Resolves to the account that
   * gets the money. Null: the accounts from which it was taken get it.
   */
  settledAgain?(tx: Tx, payment: BookedPayment): Promise<string | null>;
};

/**
 * Something that is paid for, as its domain hands it to the payments state machine: once, at composition. Both a
 * waiting request and the sweeper use it. The members up to `lock` are in the order in which a paid request runs them.
 * Behind them are those for a lost payment, for a recovery, and for the 402.
 */
export type PayableSubject<Order, Delivery = never> = Omit<BookableSubject, 'lock'> & {
  /** The price. It is frozen with the subject, so that the 402 and its retry name the same one. */
  quote(order: Order): PaymentQuote;
  /**
   * Returns whether this caller may present a transfer that `payer` has made already. Anybody can copy its signature from
   * the chain.
   */
  mayPresent(db: Queryable, order: Order, payer: string): Promise<boolean>;
  /**
   * Throws when the request itself is invalid, or when `payer` (a wallet, lower case) can never pay for it. Runs before the
   * facilitator is asked, so that such a request costs no call to the node.
   */
  checkOrder?(order: Order, payer: string): void | Promise<void>;
  /**
   * Runs in the transaction that claims the payment. Locks the subject and checks again that `payer` (a wallet, lower
   * case) may pay for it now. Throws when it may not. May write: the transaction is rolled back when this payment does
   * not become the subject's live one.
   */
  claim(tx: Tx, order: Order, payer: string): Promise<void>;
  /** Prepares the delivery while the payment settles. Writes nothing. If it fails, the caller delivers later. */
  prepare?(order: Order): Promise<Delivery>;
  /**
   * Works like `BookableSubject.lock`. `delivery` is the result of `prepare`, if a request brought the payment and it is ready.
   * `isAnswered`: the request waits no more, and has answered PAYMENT_PENDING.
   */
  lock(
    tx: Tx,
    subjectId: string,
  ): Promise<(payment: BookedPayment, delivery?: Delivery, isAnswered?: boolean) => Booking | Promise<Booking>>;
  /** Writes that a payment, which vanished from the chain, can never be booked again. */
  lost?(tx: Tx, subjectId: string, at: Date): Promise<void>;
  /**
   * For a recovery. Returns the subjects that this wallet may have paid with this amount, that nobody has paid, and that
   * may still be paid.
   */
  unpaidBy?(db: Queryable, paid: { payer: string; amountMicro: number; at: Date }): Promise<string[]>;
  /**
   * For a recovery. Locks the subject and takes what a claim takes. Returns false if the subject may not be paid any
   * more.
   */
  reserve?(tx: Tx, subjectId: string): Promise<boolean>;
  /** Returns further members for the JSON body of the 402, which describe the subject. */
  describe?(order: Order): Record<string, unknown>;
};

/** All payable subjects of this deployment. */
export type PayableSubjects = {
  entry_fee: PayableSubject<EntryFeeOrder, PreparedUpload>;
  escrow: PayableSubject<PrizeOrder>;
};

export type PaymentTimes = {
  /** How long a request waits for an outcome before it answers PAYMENT_PENDING. */
  waitMs: number;
  /** How long the process that resolves a payment keeps other processes from it. */
  leaseMs: number;
};

/** How this deployment takes and makes payments. */
export type PaymentSetup = PaymentTimes & {
  subjects: PayableSubjects;
  payoutHandlers: Record<OutgoingKind, PayoutHandler>;
  refundLatePayment: RefundLatePayment;
};
