import { DomainError } from '../../contract/basics/errors.ts';

const DAY_MS = 86_400_000;

/**
 * How long a project waits for an inspection that was requested in time. Only a storage that fails all the time reaches
 * this bound: the inspection of a picture takes at most seconds of CPU, and its agent can not request it anew.
 */
export const INSPECTION_WAIT_MS = 60 * 60_000;

export function startOfUtcDay(now: Date): Date {
  return new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
}

export function quotaResetSeconds(now: Date): number {
  return Math.ceil((startOfUtcDay(now).getTime() + DAY_MS - now.getTime()) / 1000);
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
  throw new DomainError('PROJECT_NOT_ACCEPTING', 'This wallet funded the project, so its agent can not enter it.');
}
