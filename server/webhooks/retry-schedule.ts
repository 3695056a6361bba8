import type { DeliveryOutcome } from './types.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The waits after the failures of the schedule. After the last one, the delivery is dead. */
const BACK_OFF_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 8 * HOUR_MS];

// `webhook_deliveries.retries` counts the back-off retries that were made. Values below 0 precede them.
/** Nothing was attempted yet. -1: the first attempt failed, and its immediate retry comes next. */
export const FIRST_ATTEMPT = -2;

/** The next state after an attempt. Exactly one of the dates is set: due again, dead, or delivered. */
export type Next = { retries: number; dueAt: Date | null; deadAt: Date | null; deliveredAt: Date | null };

/** Returns what follows the attempt that `retries` stands for. `endedAt` is when its outcome was known. */
export function afterAttempt(retries: number, outcome: DeliveryOutcome, endedAt: Date): Next {
  if (!outcome.failure) return { retries, dueAt: null, deadAt: null, deliveredAt: endedAt };
  const made = retries + 1;
  const delayMs = made < 0 ? 0 : BACK_OFF_MS[made];
  const isOver = delayMs === undefined || isGone(outcome);
  const dueAt = isOver ? null : new Date(endedAt.getTime() + delayMs);
  return { retries: made, dueAt, deadAt: isOver ? endedAt : null, deliveredAt: null };
}

/** Whether the endpoint asks for no more events, now and later (410 Gone). */
export function isGone({ status }: DeliveryOutcome): boolean {
  return status === 410;
}
