import { keccak256, toBytes } from 'viem';

/** A reference names what is paid and is unique forever. This one names the prize of a project. */
export function prizeReference(projectId: string): string {
  return `project:${projectId}:prize`;
}

/** The share of one entry in a prize that is split. */
export function shareReference(projectId: string, submissionId: string): string {
  return `project:${projectId}:share:${submissionId}`;
}

/** The refund of a payment. */
export function refundReference(paymentId: string): string {
  return `refund:${paymentId}`;
}

/** The return of a stray transfer to its sender. */
export function strayReference(strayId: string): string {
  return `stray:${strayId}`;
}

/** A withdrawal of earned fees by the operator. */
export function withdrawalReference(withdrawalId: string): string {
  return `withdrawal:${withdrawalId}`;
}

/**
 * Derives the nonce of a payout's authorization from its reference. The token contract then rejects a second transfer,
 * even if the row was lost.
 */
export function payoutNonce(reference: string): string {
  return keccak256(toBytes(`payout:${reference}`));
}
