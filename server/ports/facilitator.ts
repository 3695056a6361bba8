import type { PaymentPayload, PaymentRequirements } from '@x402/core/types';
import type { PaymentPayloadV1, PaymentRequirementsV1 } from '@x402/core/types/v1';
import type { PaidTransfer } from './chain.ts';

/** A payload with the requirements that it answers; `x402Version` tells the generations apart. */
export type X402Payment =
  | { x402Version: 2; payload: PaymentPayload; requirements: PaymentRequirements }
  | { x402Version: 1; payload: PaymentPayloadV1; requirements: PaymentRequirementsV1 };

export type Verification = {
  isValid: boolean;
  invalidReason?: string | undefined;
  /** For `settle`, where checking it meant to get it ready as well: the in-process facilitator alone does that. */
  prepared?: PreparedSettlement;
};

/** A settlement that has come as far as its broadcast, and waits there; for some seconds, then it is none any more. */
export type PreparedSettlement = {
  /** Null when it has waited too long: nothing was broadcast, and nothing will be. */
  broadcast(): Promise<Settlement> | null;
};

export type Settlement = {
  success: boolean;
  errorReason?: string | undefined;
  /** Empty when the facilitator names none. */
  transaction: string;
  /** The transfer in a receipt that our own node gave while settling: the in-process facilitator alone has one. */
  proof?: PaidTransfer;
};

/**
 * Anything that verifies and settles x402 payments: a remote service or the in-process one.
 * Both methods throw when nothing could be learnt. `settle` may report failure, throw, or time out after it
 * broadcast: the chain decides, never this answer.
 */
export type Facilitator = {
  verify(payment: X402Payment): Promise<Verification>;
  /** `prepared` is what `verify` gave for this very payment: what it did is not done again. */
  settle(payment: X402Payment, prepared?: PreparedSettlement): Promise<Settlement>;
  /** Throws unless the facilitator serves the network, scheme `exact`, for both x402 generations. */
  check(): Promise<void>;
};

/** The facilitator, or the chain behind it, did not answer: nothing is known. */
export class FacilitatorUnavailable extends Error {
  constructor(cause?: unknown) {
    super('the facilitator did not answer', { cause });
    this.name = 'FacilitatorUnavailable';
  }
}

/** The x402 packages take both generations and type v2 only. */
export function v2Typed({ payload, requirements }: X402Payment): [PaymentPayload, PaymentRequirements] {
  return [payload as PaymentPayload, requirements as PaymentRequirements];
}
