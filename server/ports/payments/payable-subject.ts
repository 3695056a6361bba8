import type { z } from 'zod';
import type { uploadBody } from '../../../contract/projects/submissions.ts';
import type { AgentCaller } from '../callers.ts';
import type { Queryable, Tx } from '../database.ts';
import type { BookedPayment, PaymentQuote } from './payments.ts';

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
    termsHash: string | null;
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
  /** Writes that the subject is unpaid, in the transaction that takes a booked payment back: its transfer vanished. */
  vanished?(tx: Tx, subjectId: string): Promise<void>;
  /** Writes that the subject is paid after all, in the transaction that books such a payment again. */
  settledAgain?(tx: Tx, payment: BookedPayment): Promise<void>;
};

/**
 * Something that is paid for, as its domain hands it to the payments state machine: once, at composition. Both a
 * waiting request and the sweeper use it. The members up to `afterCommit` are in the order in which a paid request runs
 * them. Behind them are those for a failed payment, for a recovery, and for the 402.
 */
export type PayableSubject<Order, Delivery = never> = {
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
  /** Works like `BookableSubject.lock`. `delivery` is the result of `prepare`, if a request waits and it is ready. */
  lock(tx: Tx, subjectId: string): Promise<(payment: BookedPayment, delivery?: Delivery) => Booking | Promise<Booking>>;
  afterCommit?(): void;
  release?(tx: Tx, subjectId: string): Promise<void>;
  vanished?(tx: Tx, subjectId: string): Promise<void>;
  settledAgain?(tx: Tx, payment: BookedPayment): Promise<void>;
  /** Writes that such a payment can never be booked again. */
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
