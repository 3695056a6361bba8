const DAY_MS = 86_400_000;

/** Days of the UTC calendar since 1970; every one has 86,400 s. */
export function dayOf(at: Date): number {
  return Math.floor(at.getTime() / DAY_MS);
}

export function startOfDay(day: number): Date {
  return new Date(day * DAY_MS);
}

export function dateOf(day: number): string {
  return startOfDay(day).toISOString().slice(0, 10);
}
