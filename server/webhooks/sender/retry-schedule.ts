import type { DeliveryOutcome } from '../../ports/webhooks.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** After the failure before: the last of them ends in a delivery that is dead. */
const BACK_OFF_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 8 * HOUR_MS];
const GONE = 410;

// `webhook_retries.retries` counts the back-off retries that were made. Below 0 the first attempt is not over.
/** Nothing was attempted: a slow endpoint, or one that was not reached in its turn. */
export const FIRST_ATTEMPT = -2;
/** The first attempt failed, and the retry that belongs to it comes next. */
export const IMMEDIATE_RETRY = -1;

/** What becomes of a delivery: one of the three, never two. */
export type Next = { retries: number; dueAt: Date | null; deadAt: Date | null; deliveredAt: Date | null };

/** After an attempt that was made with so many retries behind it; `endedAt` is when its outcome was known. */
export function afterAttempt(retries: number, outcome: DeliveryOutcome, endedAt: Date): Next {
  if (outcome.ok) return { retries, dueAt: null, deadAt: null, deliveredAt: endedAt };
  const made = retries + 1;
  const delayMs = made < 0 ? 0 : BACK_OFF_MS[made];
  const over = delayMs === undefined || isGone(outcome);
  const dueAt = over ? null : new Date(endedAt.getTime() + delayMs);
  return { retries: made, dueAt, deadAt: over ? endedAt : null, deliveredAt: null };
}

/** The endpoint wants nothing more, now and of later events. */
export function isGone({ status }: DeliveryOutcome): boolean {
  return status === GONE;
}

/** As `webhook_attempts` counts: 1 is the first, 2 its immediate retry. */
export function attemptNumber(retries: number): number {
  return retries - FIRST_ATTEMPT + 1;
}
