import type { Db } from '../context.ts';

const MAX_AGE_MS = 1_000;
// A page of 50 of the longest briefs is 1 MB, and its JSON another.
const MAX_PAGES = 100;

type Entry = { startedAt: number; page: Promise<unknown> };

/** Per pool, so that two databases in one process (tests) never share a page. Oldest first. */
const recent = new WeakMap<Db, Map<string, Entry>>();

/**
 * Answers identical searches of one second from one query, also while it runs. Everyone gets the same object, so that
 * its JSON can be made once as well; nobody may change it.
 */
export function sharedSearch<Page>(db: Db, key: string, now: Date, search: () => Promise<Page>): Promise<Page> {
  const entries = recent.get(db) ?? new Map<string, Entry>();
  recent.set(db, entries);
  const at = now.getTime();
  const known = entries.get(key);
  if (known && isFresh(known, at)) return known.page as Promise<Page>;
  forgetStale(entries, at);
  const entry = { startedAt: at, page: search() };
  entries.set(key, entry);
  void entry.page.catch(() => {
    if (entries.get(key) === entry) entries.delete(key);
  });
  return entry.page;
}

/** After a change that its maker should find in the next search. Other processes notice within a second. */
export function forgetSearches(db: Db): void {
  recent.delete(db);
}

function isFresh({ startedAt }: Entry, at: number): boolean {
  return at >= startedAt && at - startedAt < MAX_AGE_MS;
}

function forgetStale(entries: Map<string, Entry>, at: number): void {
  for (const [key, entry] of entries) {
    if (isFresh(entry, at) && entries.size < MAX_PAGES) return;
    entries.delete(key);
  }
}
