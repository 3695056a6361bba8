const DAY_MS = 86_400_000;

/** Returns the number of UTC days since January 1, 1970. Every UTC day has 86,400 s. */
export function dayOf(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS);
}

/** Returns the time at which a UTC day starts. */
export function startOfDay(day: number): Date {
  return new Date(day * DAY_MS);
}

/** Returns the date of a UTC day, as `YYYY-MM-DD`. */
export function dateOf(day: number): string {
  return startOfDay(day).toISOString().slice(0, 10);
}
