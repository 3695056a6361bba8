import type { X402Payment } from '../facilitator.ts';
import type { OutgoingKind } from './payments.ts';

/** A transfer out of the treasury that a row approves: exactly this amount, to exactly this address. */
export type OutgoingTransfer = {
  kind: OutgoingKind;
  /** The payout's id. */
  subjectId: string;
  network: string;
  asset: string;
  recipient: string;
  amountMicro: number;
  /** Derived from the payment, so that the token contract refuses to pay it twice. */
  nonce: string;
  /** Unix seconds. */
  validBefore: number;
};

/** This process has the treasury's address and not its key: a worker signs. */
export class SignedElsewhere extends Error {
  constructor() {
    super("this process has no key of the treasury; a worker signs the treasury's transfers");
    this.name = 'SignedElsewhere';
  }
}

/** The process that holds the treasury's key did not answer. The transfer waits. */
export class SignerUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(`the signer does not answer: ${message}`, { cause });
    this.name = 'SignerUnavailable';
  }
}

/** The process that holds the treasury's key refused a transfer. `code` is one word; the message says why. */
export class SignerRefused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'SignerRefused';
    this.code = code;
  }
}

/**
 * The treasury's key. It holds USDC and signs EIP-3009 authorizations. The facilitator broadcasts them and pays the
 * gas.
 */
export type Treasury = {
  /** Lower case. */
  address: string;
  /**
   * Signs the transfer of a row that the caller has just claimed. No other caller may ask for a signature.
   *
   * @throws SignedElsewhere in a process that does not sign
   * @throws SignerUnavailable, SignerRefused if another process holds the key
   */
  authorize(transfer: OutgoingTransfer): Promise<X402Payment>;
  /**
   * Present if another process holds the key: asks whether it can sign.
   *
   * @throws SignerUnavailable
   */
  check?(): Promise<void>;
};
