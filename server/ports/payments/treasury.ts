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

/** The remote signer of the treasury did not sign. The transfer waits. */
export class SignerUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(`the signer does not sign: ${message}`, { cause });
    this.name = 'SignerUnavailable';
  }
}

/** The remote signer answered that it does not sign. */
export class SignerRefused extends SignerUnavailable {
  constructor(message: string) {
    super(message);
    this.name = 'SignerRefused';
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
   * @throws SignerUnavailable if a remote signer holds the key
   */
  authorize(transfer: OutgoingTransfer): Promise<X402Payment>;
  /**
   * Present if a remote signer holds the key: asks whether it can sign.
   *
   * @throws SignerUnavailable
   */
  check?(): Promise<void>;
};
