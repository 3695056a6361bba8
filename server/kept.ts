import type { Db } from './db/database.ts';

type Entry<T> = { readAt: number; startedAt: number; value: Promise<T> };

/** Readings by owner and key. The owner is a database, because tests have several in one process. */
export type Kept<T> = {
  /** Returns what was read in the last `lifeMs`, or is being read, or reads it. A failure is not kept. */
  get(owner: object, { key, now }: { key: string; now: Date }, read: () => Promise<T>): Promise<T>;
  /** Drops a key, or everything of an owner, so that the next request reads it again. */
  forget(owner: object, key?: string): void;
};

/** Keeps at most `most` values of each owner for `lifeMs`, the newest ones. */
export function createKept<T>({ lifeMs, most }: { lifeMs: number; most: number }): Kept<T> {
  const owners = new WeakMap<object, Map<string, Entry<T>>>();
  return {
    get(owner, { key, now }, read) {
      // Sorted by time.
      let entries = owners.get(owner);
      if (!entries) owners.set(owner, (entries = new Map<string, Entry<T>>()));
      const readAt = now.getTime();
      const startedAt = performance.now();
      // A value of a later time is not fresh either: the clock was set back. The other clock never stands still.
      const isFresh = (entry: Entry<T>) =>
        readAt >= entry.readAt && readAt - entry.readAt < lifeMs && startedAt - entry.startedAt < lifeMs;
      const known = entries.get(key);
      if (known && isFresh(known)) return known.value;
      entries.delete(key);
      for (const [oldKey, old] of entries) {
        if (isFresh(old) && entries.size < most) break;
        entries.delete(oldKey);
      }
      const entry = { readAt, startedAt, value: read() };
      entries.set(key, entry);
      entry.value.catch(() => entries.get(key) === entry && entries.delete(key));
      return entry.value;
    },
    forget(owner, key) {
      if (key === undefined) owners.delete(owner);
      else owners.get(owner)?.delete(key);
    },
  };
}

const pages = createKept<Buffer<ArrayBuffer>>({ lifeMs: 1_000, most: 100 });

const MOST_BYTES = 1_000_000;

/** Returns the page that was finished within the last second, or finishes it. A larger one is not kept: it has long briefs. */
export async function keptPage(
  db: Db,
  page: { key: string; now: Date },
  finish: () => Promise<Buffer<ArrayBuffer>>,
): Promise<Buffer<ArrayBuffer>> {
  const body = await pages.get(db, page, finish);
  if (body.length > MOST_BYTES) pages.forget(db, page.key);
  return body;
}

/** Drops all pages, so that the caller's next request shows its change. Other processes show it within a second. */
export const forgetSearches = (db: Db): void => pages.forget(db);
