const HOUR_MS = 3_600_000;
const IDLE_MS = 24 * HOUR_MS;
const LIFETIME_MS = 7 * 24 * HOUR_MS;

// Between two writes of a session that is used all the time; so much earlier may one end that is not.
const PROLONGED_EVERY_MS = 600_000;

/** When a session ends that is used now and not again. */
export function endOf({ createdAt, now }: { createdAt: Date; now: Date }): Date {
  return new Date(Math.min(now.getTime() + IDLE_MS, createdAt.getTime() + LIFETIME_MS));
}

/** Whether its use is worth writing down. */
export function isWorthProlonging(expiresAt: Date, next: Date): boolean {
  const gained = next.getTime() - expiresAt.getTime();
  return gained >= PROLONGED_EVERY_MS;
}

/** As long as a browser may keep the cookie. */
export const SESSION_SECONDS = LIFETIME_MS / 1000;
