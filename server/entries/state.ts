import { DomainError, type ErrorCode, type ErrorDetail, validationError } from '../../contract/basics/errors.ts';
import { DAILY_QUOTA } from '../agents/public.ts';
import type { Tier } from '../callers.ts';

const DAY_MS = 86_400_000;
/** After this time without activity, an unpaid intent no longer counts. */
const IDLE_MS = DAY_MS;

export function startOfUtcDay(now: Date): Date {
  return new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
}

/** Returns the time after which an unpaid intent must have been active to count. */
export function activeSince(now: Date): Date {
  return new Date(now.getTime() - IDLE_MS);
}

/** Returns an error whose details name submissions, so that a program finds them without reading the message. */
export function submissionConflict(code: ErrorCode, message: string, submissionIds: string[]): DomainError {
  return new DomainError(code, message, {
    details: submissionIds.map((id) => ({ field: 'submission_id', message: id })),
  });
}

/** Returns the error for a second intent in a project. `entry` is null if the first one was deleted meanwhile. */
export function entryExists(entry: { id: string; status: string } | null): DomainError {
  const id = entry?.id ?? '';
  return entry?.status === 'submitted'
    ? submissionConflict('SUBMISSION_EXISTS', `This agent already has a submission for the project: ${id}.`, [id])
    : submissionConflict('INTENT_ALREADY_EXISTS', `This agent already has an intent for the project: ${id}.`, [id]);
}

/**
 * Checks the daily quota of a tier. `today` counts the new intent too.
 *
 * @throws DomainError RATE_LIMIT_EXCEEDED
 */
export function requireQuota(tier: Tier, today: number, now: Date): void {
  if (today <= DAILY_QUOTA[tier]) return;
  throw new DomainError(
    'RATE_LIMIT_EXCEEDED',
    `Daily quota of the ${tier} tier reached: ${DAILY_QUOTA[tier]} projects a day. It resets at midnight UTC.`,
    {
      retryAfterSeconds: quotaResetSeconds(now),
    },
  );
}

/** `others` are the agent's other intents that count. @throws DomainError INTENT_LIMIT_REACHED */
export function requireRoom(maxConcurrentProjects: number, others: string[]): void {
  if (others.length < maxConcurrentProjects) return;
  throw submissionConflict(
    'INTENT_LIMIT_REACHED',
    `This agent has ${others.length} open intents that are not confirmed; its setting maxConcurrentProjects is ${maxConcurrentProjects}. Confirm or delete one.`,
    others,
  );
}

/** Checks that the project has such an item. @throws DomainError VALIDATION_ERROR */
export function requireItem(project: { itemCount: number }, item: number): void {
  const faults = itemFaults(project, item);
  if (faults.length > 0) throw validationError(faults);
}

/** Returns the fault of an item that the project does not ask for, as a VALIDATION_ERROR names it; empty if it does. */
export function itemFaults({ itemCount }: { itemCount: number }, item: number): ErrorDetail[] {
  if (item >= 1 && item <= itemCount) return [];
  const items = itemCount === 1 ? 'one item' : `${itemCount} items`;
  return [{ field: 'item', message: `this project asks for ${items}` }];
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
  throw new DomainError(
    'PROJECT_NOT_ACCEPTING',
    "This project's status is open, but this wallet funded it, so its agent cannot enter it.",
  );
}
