const HOUR_MS = 3_600_000;
const IDLE_MS = 24 * HOUR_MS;
const LIFETIME_MS = 7 * 24 * HOUR_MS;

// The shortest time between two writes of an active session. A session can therefore end up to 10 minutes early.
const MIN_EXTENSION_MS = 600_000;

/** Returns when the session ends if it is not used after `now`. */
export function sessionEnd({ createdAt, now }: { createdAt: Date; now: Date }): Date {
  return new Date(Math.min(now.getTime() + IDLE_MS, createdAt.getTime() + LIFETIME_MS));
}

/** Returns whether the new end is late enough to store. */
export function shouldExtend(expiresAt: Date, next: Date): boolean {
  const gained = next.getTime() - expiresAt.getTime();
  return gained >= MIN_EXTENSION_MS;
}

/** How long a browser keeps the cookie. */
export const SESSION_SECONDS = LIFETIME_MS / 1000;
