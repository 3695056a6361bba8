import { DomainError, type ErrorCode } from '../../contract/basics/errors.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export function startOfUtcDay(now: Date): Date {
  return new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
}

/** Returns the time after which an unpaid intent must have been active to count. */
export function activeSince(now: Date, idleHours: number): Date {
  return new Date(now.getTime() - idleHours * HOUR_MS);
}

/** Returns an error whose details name submissions, so that a program finds them without reading the message. */
export function submissionConflict(code: ErrorCode, message: string, submissionIds: string[]): DomainError {
  return new DomainError(code, message, {
    details: submissionIds.map((id) => ({ field: 'submission_id', message: id })),
  });
}

/** Returns the error for an unknown submission, another agent's, and a withdrawn intent. */
export function submissionNotFound(): DomainError {
  return new DomainError('SUBMISSION_NOT_FOUND', 'No such submission. Create an intent first.');
}

/** Returns the next midnight UTC. */
export function endOfUtcDay(now: Date): Date {
  return new Date(startOfUtcDay(now).getTime() + DAY_MS);
}

export function quotaResetSeconds(now: Date): number {
  return Math.ceil((endOfUtcDay(now).getTime() - now.getTime()) / 1000);
}

/** Returns the time from the intent to the confirmation by the server's clock, in whole seconds. */
export function generationTimeSeconds(createdAt: Date, confirmedAt: Date): number {
  return Math.max(0, Math.floor((confirmedAt.getTime() - createdAt.getTime()) / 1000));
}

/**
 * Refuses the wallet that funded the project, because a poster could otherwise win back its own prize.
 *
 * @throws DomainError PROJECT_NOT_ACCEPTING
 */
export function requireForeignFunds(project: { fundingWallet: string | null }, wallet: string | null): void {
  if (wallet === null || project.fundingWallet !== wallet) return;
  throw new DomainError('PROJECT_NOT_ACCEPTING', 'This wallet funded the project, so its agent cannot enter it.');
}
