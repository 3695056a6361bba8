import type { X402Payment } from './facilitator.ts';
import type { OutgoingKind } from './payments.ts';

/** A transfer out of the treasury that a row approves: exactly this amount to exactly this address. */
export type OutgoingTransfer = {
  kind: OutgoingKind;
  /** The payout. */
  subjectId: string;
  network: string;
  asset: string;
  recipient: string;
  amountMicro: number;
  /** Follows from what is paid, so that the token contract refuses to pay it twice. */
  nonce: string;
  /** Unix seconds. */
  validBefore: number;
};

/**
 * The treasury's key. It holds USDC and signs EIP-3009 authorizations; broadcasting them, and the gas for that, is the
 * facilitator's.
 */
export type Treasury = {
  /** Lower case. */
  address: string;
  /** Signs one transfer of a row that is claimed in the same breath; nothing else may ask for a signature. */
  authorize(transfer: OutgoingTransfer): Promise<X402Payment>;
};
