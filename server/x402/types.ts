import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import type { PaymentPayloadV1, PaymentRequirementsV1 } from '@x402/core/types/v1';
import type { PaidTransfer } from '../chain/types.ts';
import type { OutgoingKind } from '../payments/types.ts';

/** A payload with its requirements, in x402 version 1 or 2. */
export type X402Payment =
  | { x402Version: 2; payload: PaymentPayload; requirements: PaymentRequirements }
  | { x402Version: 1; payload: PaymentPayloadV1; requirements: PaymentRequirementsV1 };

export type Verification = {
  isValid: boolean;
  invalidReason?: string | undefined;
  /** Input for `settle`: the in-process facilitator prepares a settlement while it verifies. */
  prepared?: PreparedSettlement;
};

/** A settlement that is ready to broadcast. It expires after a few seconds. */
export type PreparedSettlement = {
  /** Broadcasts, or returns null after it has expired; then nothing was broadcast, and nothing will be. */
  broadcast(): Promise<Settlement> | null;
};

export type Settlement = {
  success: boolean;
  errorReason?: string | undefined;
  /** The transaction's hash; empty when the facilitator names none. */
  transaction: string;
  /** The transfer in a receipt of the service's own node. Only the in-process facilitator has one. */
  proof?: PaidTransfer;
  /**
   * The transaction is mined and did not make the transfer, by a receipt of the service's own node, and nothing else was
   * broadcast. Only the in-process facilitator says so, of a call that failed in a batch.
   */
  unpaid?: boolean;
};

/**
 * Verifies and settles x402 payments: a remote service, or the in-process facilitator. Both methods throw
 * FacilitatorUnavailable when nothing is known. `settle` may report failure, throw, or time out after a broadcast, so the
 * chain decides, never this answer.
 */
export type Facilitator = {
  verify(payment: X402Payment): Promise<Verification>;
  /** `prepared` comes from `verify` for the same payment and saves repeating its work. */
  settle(payment: X402Payment, prepared?: PreparedSettlement): Promise<Settlement>;
  /** @throws Error unless the facilitator serves the network with scheme `exact`, and takes requests of this service */
  check(): Promise<void>;
  /** How many settlements it takes side by side. Default: 32. */
  capacity?: number;
  /** The addresses that send its transactions, in lower case. Only the in-process facilitator knows. */
  senders?: readonly string[];
  /** Returns what is left for the gas of each key. Only the in-process facilitator knows. */
  gasOfKeys?(): Promise<GasOfKey[]>;
};

/** `gasWei` is null while the node does not answer. An unusable key could not pay for gas the last time, so it is skipped. */
export type GasOfKey = { address: string; gasWei: bigint | null; usable: boolean };

/** The facilitator, or the chain behind it, did not answer, so nothing is known. */
export class FacilitatorUnavailable extends Error {
  constructor(cause?: unknown) {
    super('the facilitator did not answer', { cause });
    this.name = 'FacilitatorUnavailable';
  }
}

/** The facilitator refuses this service. Only the operator can correct that, by the credentials in the settings. */
export class FacilitatorDenied extends FacilitatorUnavailable {
  constructor(status: number, cause?: unknown) {
    super(cause);
    this.name = 'FacilitatorDenied';
    this.message = `the facilitator answered ${status}: set FACILITATOR_AUTH, or FACILITATOR_CDP_KEY_ID and FACILITATOR_CDP_KEY_SECRET`;
  }
}

/** Casts a payment to v2 types: the x402 packages accept both versions but type only v2. */
export function v2Typed({ payload, requirements }: X402Payment): [PaymentPayload, PaymentRequirements] {
  return [payload as PaymentPayload, requirements as PaymentRequirements];
}

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
