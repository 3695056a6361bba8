import type { Db } from '../ports/database.ts';

const MAX_AGE_MS = 1_000;
// A page of 50 of the longest briefs is 1 MB, and its JSON another.
const MAX_PAGES = 100;
const MAX_ASKED = 1_000;

/** `page` is let go of when the entry leaves: see `Waiting` in http/deadline.ts. */
type Entry = { startedAt: number; page: Promise<unknown> | null; askedAgain: boolean };

/** Oldest first. */
type Recent = {
  pages: Map<string, Entry>;
  /** When searches were run whose pages were not kept. */
  asked: Map<string, number>;
};

/** Per pool, so that two databases in one process (tests) never share a page. */
const recent = new WeakMap<Db, Recent>();

/**
 * Answers identical searches of one second from one query, also while it runs. Everyone gets the same object, so that
 * its JSON can be made once as well; nobody may change it. What nobody else asked for while it was found is kept from its
 * second time on: keeping every page until it is 1 s old made the garbage collector copy them all, a quarter of the CPU
 * of searches that differ.
 */
export function sharedSearch<Page>(db: Db, key: string, now: Date, search: () => Promise<Page>): Promise<Page> {
  const known = recent.get(db) ?? { pages: new Map<string, Entry>(), asked: new Map<string, number>() };
  recent.set(db, known);
  const { pages, asked } = known;
  const at = now.getTime();
  const running = pages.get(key);
  if (running && isFresh(running.startedAt, at)) {
    running.askedAgain = true;
    return running.page as Promise<Page>;
  }
  if (running) drop(pages, key, running);
  const before = asked.get(key);
  const page = search();
  const entry: Entry = { startedAt: at, page, askedAgain: before !== undefined && isFresh(before, at) };
  for (const [oldKey, old] of pages) {
    if (isFresh(old.startedAt, at) && pages.size < MAX_PAGES) break;
    drop(pages, oldKey, old);
  }
  pages.set(key, entry);
  void afterwards(known, key, entry);
  return page;
}

/** After a change that its maker should find in the next search. Other processes notice within a second. */
export function forgetSearches(db: Db): void {
  recent.delete(db);
}

// A clock that was set back does not make an answer last.
function isFresh(startedAt: number, at: number): boolean {
  return at >= startedAt && at - startedAt < MAX_AGE_MS;
}

async function afterwards({ pages, asked }: Recent, key: string, entry: Entry): Promise<void> {
  try {
    await entry.page;
  } catch {
    drop(pages, key, entry);
    return;
  }
  if (!entry.askedAgain && drop(pages, key, entry)) remember(asked, key, entry.startedAt);
}

/** False when another run has taken its place. */
function drop(pages: Map<string, Entry>, key: string, entry: Entry): boolean {
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
