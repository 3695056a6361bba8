const MINUTE_MS = 60_000;
// An operator pays out and bans: a computer that its person has left must not stay signed in.
const IDLE_MS = 30 * MINUTE_MS;
const LIFETIME_MS = 12 * 60 * MINUTE_MS;
/** For a person about whom the provider cannot be asked again. A new sign-in shows whether the right still holds. */
const UNCONFIRMED_MS = 60 * MINUTE_MS;

/** How often the provider is asked whether a person still has the right. */
export const CONFIRM_MS = 30_000;

/** Returns when the session ends if no person uses it after `now`. */
export function operatorSessionEnd({
  createdAt,
  now,
  isConfirmed,
}: {
  createdAt: Date;
  now: Date;
  /** It needs no provider, or the provider can be asked again. */
  isConfirmed: boolean;
}): Date {
  const lifetime = isConfirmed ? LIFETIME_MS : UNCONFIRMED_MS;
  return new Date(Math.min(now.getTime() + IDLE_MS, createdAt.getTime() + lifetime));
}

/** How long a browser keeps the cookie. */
export const OPERATOR_SESSION_SECONDS = LIFETIME_MS / 1000;
