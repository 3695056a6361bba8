import type { Db } from './db/database.ts';

const FRESH_MS = 1_000;
/** A page of 50 of the longest briefs takes 1 MB. */
const MOST_PAGES = 100;

/** `madeAt` by the clock of the service, and `startedAt` by one that never stands still. */
type Page = { madeAt: number; startedAt: number; body: Promise<Buffer<ArrayBuffer>> };

/** One cache for each database, sorted by time: two services in one process (tests) never share a page. */
const caches = new WeakMap<Db, Map<string, Page>>();

/** Returns the finished page of this key: one that is younger than a second or still being made, or a new one. */
export function cachedPage(
  db: Db,
  { key, now }: { key: string; now: Date },
  make: () => Promise<Buffer<ArrayBuffer>>,
): Promise<Buffer<ArrayBuffer>> {
  const pages = caches.get(db) ?? new Map<string, Page>();
  caches.set(db, pages);
  const madeAt = now.getTime();
  // A page from a later time is not fresh either: the clock was set back.
  const startedAt = performance.now();
  const isFresh = (page: Page) =>
    madeAt >= page.madeAt && madeAt - page.madeAt < FRESH_MS && startedAt - page.startedAt < FRESH_MS;
  const known = pages.get(key);
  if (known && isFresh(known)) return known.body;
  pages.delete(key);
  for (const [oldKey, old] of pages) {
    if (isFresh(old) && pages.size < MOST_PAGES) break;
    pages.delete(oldKey);
  }
  const page = { madeAt, startedAt, body: make() };
  pages.set(key, page);
  page.body.catch(() => pages.get(key) === page && pages.delete(key));
  return page.body;
}

/** Drops all pages, so that the caller's next request shows its change. Other processes show it within a second. */
export function forgetSearches(db: Db): void {
  caches.delete(db);
}
