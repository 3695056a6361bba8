/** The ids that are kept. More would cost a long-lived program more than 1 MB. */
const KEPT = 10_000;

type Told = { id: string; occurred_at: string };

/**
 * Remembers which events were told. The service starts again at its oldest event when it does not know the last one, so those
 * events come again.
 *
 * @param fromOldest whether the reader wants every event that the service keeps
 */
export function createMemory(fromOldest: boolean, kept = KEPT) {
  const times = new Map<string, number>();
  let hasGap = false;
  /** Older events were told before the kept ones, or the reader began after them. */
  let toldUntil = -Infinity;
  return {
    /** From now on, old events may come again. */
    gap(): void {
      hasGap = true;
    },
    /** Returns whether the event was never told, and remembers it. */
    isNew({ id, occurred_at }: Told): boolean {
      const time = Date.parse(occurred_at);
      if (times.has(id) || (hasGap && time <= toldUntil)) return false;
      if (times.size === 0 && !fromOldest) toldUntil = time - 1;
      times.set(id, time);
      const [oldest] = times;
      if (oldest && times.size > kept) {
        times.delete(oldest[0]);
        toldUntil = Math.max(toldUntil, oldest[1]);
      }
      return true;
    },
  };
}
