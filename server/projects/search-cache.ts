import type { Db } from '../ports/database.ts';

const MAX_AGE_MS = 1_000;
// A page of 50 of the longest briefs takes 1 MB, and its JSON another.
const MAX_PAGES = 100;
const MAX_ASKED = 1_000;

/** `page` becomes null when the cache drops the entry, so that the entry does not keep the page in memory. */
type CachedPage = { startedAt: number; page: Promise<unknown> | null; askedAgain: boolean };

/** Both maps are sorted by time, oldest first. */
type SearchCache = {
  pages: Map<string, CachedPage>;
  /** When recent searches ran whose pages were not kept. */
  asked: Map<string, number>;
};

/** One cache for each pool, so that two databases in one process (tests) never share a page. */
const caches = new WeakMap<Db, SearchCache>();

/**
 * Answers identical searches within one second from one query, also while it runs. All callers get the same object, so
 * that its JSON is encoded once; no caller may change it.
 *
 * A page that only one caller asked for is not kept, unless its search runs a second time within one second. Keeping
 * every page makes the garbage collector copy them all (docs/decisions/0030-search-tunings.md).
 */
export function sharedSearch<Page>(db: Db, key: string, now: Date, search: () => Promise<Page>): Promise<Page> {
  const cache = caches.get(db) ?? { pages: new Map<string, CachedPage>(), asked: new Map<string, number>() };
  caches.set(db, cache);
  const { pages, asked } = cache;
  const at = now.getTime();
  const running = pages.get(key);
  if (running && isFresh(running.startedAt, at)) {
    running.askedAgain = true;
    return running.page as Promise<Page>;
  }
  if (running) drop(pages, key, running);
  const before = asked.get(key);
  const page = search();
  const entry: CachedPage = { startedAt: at, page, askedAgain: before !== undefined && isFresh(before, at) };
  for (const [oldKey, old] of pages) {
    if (isFresh(old.startedAt, at) && pages.size < MAX_PAGES) break;
    drop(pages, oldKey, old);
  }
  pages.set(key, entry);
  void afterwards(cache, key, entry);
  return page;
}

/** Drops all pages, so that the caller's next search shows its change. Other processes show it within a second. */
export function forgetSearches(db: Db): void {
  caches.delete(db);
}

// A page from a later time is not fresh either: the clock was set back.
function isFresh(startedAt: number, at: number): boolean {
  return at >= startedAt && at - startedAt < MAX_AGE_MS;
}

async function afterwards({ pages, asked }: SearchCache, key: string, entry: CachedPage): Promise<void> {
  try {
    await entry.page;
  } catch {
    drop(pages, key, entry);
    return;
  }
  if (!entry.askedAgain && drop(pages, key, entry)) remember(asked, key, entry.startedAt);
}

/** Returns false if a later run of the search has replaced the entry. */
function drop(pages: Map<string, CachedPage>, key: string, entry: CachedPage): boolean {
  if (pages.get(key) !== entry) return false;
  entry.page = null;
  return pages.delete(key);
}

function remember(asked: Map<string, number>, key: string, at: number): void {
  asked.delete(key);
  for (const [oldKey, startedAt] of asked) {
    if (isFresh(startedAt, at) && asked.size < MAX_ASKED) break;
    asked.delete(oldKey);
  }
  asked.set(key, at);
}
