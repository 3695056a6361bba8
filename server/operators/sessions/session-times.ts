const MINUTE_MS = 60_000;
// An operator pays out and bans: a computer that its person has left must not stay signed in.
const IDLE_MS = 30 * MINUTE_MS;
const LIFETIME_MS = 12 * 60 * MINUTE_MS;

/** Returns when the session ends if no person uses it after `now`. */
export function operatorSessionEnd({ createdAt, now }: { createdAt: Date; now: Date }): Date {
  return new Date(Math.min(now.getTime() + IDLE_MS, createdAt.getTime() + LIFETIME_MS));
}

/** How long a browser keeps the cookie. */
export const OPERATOR_SESSION_SECONDS = LIFETIME_MS / 1000;
