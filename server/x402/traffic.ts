import {
  encodeFunctionData,
  getAddress,
  isErc6492Signature,
  parseAbi,
  parseSignature,
  type Hex,
  type TransactionReceipt,
} from 'viem';
import type { BroadcastGate } from './lanes/broadcast-gate.ts';
import type { SentCall } from './lanes/lanes.ts';
import type { X402Payment } from './types.ts';
import { eip3009Payload } from './presented-payment.ts';

// A payer's contract could do other work with the gas of its transfer, so less money buys less of it.
const SMALL_MICRO = 1_000_000;
const MAX_GAS_OF_SMALL = 150_000;

/** The node's answers during one `verify` or `settle`. The library does not pass them on. */
export type Traffic = {
  /** A fault of the node. The library reports it as an invalid signature or another refusal. */
  fault: unknown;
  /** A request to the node failed; a refusal counts too. */
  failed: boolean;
  /** The code of the refusal if a transaction needs more gas than the service pays for, and was not broadcast. */
  tooDear: string | null;
  /** The wallet may not exist yet: its signature says how to deploy it. */
  isUndeployed: boolean;
  /** The deployment of the wallet is being broadcast. */
  deploys: boolean;
  receipt: TransactionReceipt | null;
  /** The newest broadcast. */
  sent: SentCall | null;
  /** Its call failed in a mined batch, and the chain refuses it alone too. */
  unpaid: boolean;
  /** The transfer that the payment authorizes. */
  transfer: ReturnType<typeof transferOf>;
  /** Set while a settlement is only prepared. */
  gate: BroadcastGate | null;
  /** The simulation of the transfer, begun before the library asks for it. */
  simulation: { data: Hex; gas: Promise<bigint> } | null;
  /** The most gas that this payment may take. */
  maxGas: number;
  /** Whether the payer is a contract, or an account that delegates to one. Null until it was asked. */
  hasCode: boolean | null;
  /** Code by address: the library asks for the payer's code twice, and once more for a token that is new to it. */
  codes: Map<Hex, Promise<Hex | undefined>>;
};

/** Starts the record of one call. */
export function newTraffic(payment: X402Payment, maxGas: number, gate: BroadcastGate | null): Traffic {
  return {
    fault: null,
    failed: false,
    tooDear: null,
    deploys: false,
    isUndeployed: isUndeployed(payment),
    receipt: null,
    sent: null,
    unpaid: false,
    hasCode: null,
    transfer: transferOf(payment),
    simulation: null,
    gate,
    maxGas: maxGasOf(payment, maxGas),
    codes: new Map(),
  };
}

/** Whether the signature says how to deploy the wallet (ERC-6492). */
export function isUndeployed({ payload }: X402Payment): boolean {
  return isErc6492Signature(eip3009Payload.parse(payload.payload).signature as Hex);
}

function maxGasOf({ payload }: X402Payment, maxGas: number): number {
  const { authorization } = eip3009Payload.parse(payload.payload);
  return Number(authorization.value) < SMALL_MICRO ? Math.min(maxGas, MAX_GAS_OF_SMALL) : maxGas;
}

/** 65 bytes as text. */
const ECDSA_LENGTH = 132;

const transferAbi = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
]);

/** Returns the call data with which the library transfers the payment of an ordinary wallet; null for another wallet's. */
export function transferData({ payload }: X402Payment): Hex | null {
  const { authorization, signature } = eip3009Payload.parse(payload.payload);
  if (signature.length !== ECDSA_LENGTH) return null;
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  try {
    const { v, yParity, r, s } = parseSignature(signature as Hex);
    const times = [BigInt(validAfter), BigInt(validBefore)] as const;
    const signed = [nonce as Hex, Number(v ?? yParity), r, s] as const;
    const args = [getAddress(from), getAddress(to), BigInt(value), ...times, ...signed] as const;
    return encodeFunctionData({ abi: transferAbi, functionName: 'transferWithAuthorization', args });
  } catch {
    return null;
  }
}

function transferOf({ payload }: X402Payment) {
  const { authorization } = eip3009Payload.parse(payload.payload);
  return {
    payer: authorization.from.toLowerCase(),
    nonce: authorization.nonce.toLowerCase(),
    payTo: authorization.to.toLowerCase(),
    amountMicro: Number(authorization.value),
  };
}
