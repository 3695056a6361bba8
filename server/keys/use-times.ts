import type { Clock } from '../clock.ts';

// Rows per UPDATE statement. One statement over 10,000 rows would hold their locks too long.
const BATCH = 1000;

/** The last use of a row with this id. */
export type Use = { id: string; at: Date };

export type UseTimes = {
  /** Records in memory that the row was used now. Does not wait for the database. */
  record(id: string): void;
  /** Writes the recorded times. A failed batch stays recorded for the next call. */
  flush(): Promise<void>;
};

/**
 * Keeps the last use of each row in memory until a recurring job or the shutdown writes it, so a read request costs no
 * write.
 *
 * A killed process loses the seconds since the last write. The values are only shown to people, so this loss is
 * acceptable.
 */
export function createUseTimes(clock: Clock, write: (uses: Use[]) => Promise<void>): UseTimes {
  const times = new Map<string, Date>();
  return {
    record(id) {
      times.set(id, clock.now());
    },
    async flush() {
      const pending = [...times].map(([id, at]) => ({ id, at }));
      for (let from = 0; from < pending.length; from += BATCH) {
        const batch = pending.slice(from, from + BATCH);
        await write(batch);
        // If the row was used again during the write, keep the later time for the next flush.
        for (const { id, at } of batch) if (times.get(id) === at) times.delete(id);
      }
    },
  };
}
