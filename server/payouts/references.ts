import { keccak256, toBytes } from 'viem';

/** What is paid, in words that are unique for all time: the prize of a project. */
export function prizeReference(projectId: string): string {
  return `project:${projectId}:prize`;
}

/** One entry's part of a prize that nobody judged. */
export function shareReference(projectId: string, submissionId: string): string {
  return `project:${projectId}:share:${submissionId}`;
}

/** A payment that is given back. */
export function refundReference(paymentId: string): string {
  return `refund:${paymentId}`;
}

/** Fees that the operator takes out. */
export function withdrawalReference(withdrawalId: string): string {
  return `withdrawal:${withdrawalId}`;
}

/**
 * The nonce of a payout's authorization follows from what is paid. So the token contract itself refuses to pay it twice,
 * even after the row was lost.
 */
export function payoutNonce(reference: string): string {
  return keccak256(toBytes(`payout:${reference}`));
}
