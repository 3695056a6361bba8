import type { Db } from '../context.ts';

const MAX_AGE_MS = 1_000;
// A page of 50 of the longest briefs is 1 MB, and its JSON another.
const MAX_PAGES = 100;
const MAX_ASKED = 1_000;

type Entry = { startedAt: number; page: Promise<unknown>; askedAgain: boolean };

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
  const before = asked.get(key);
  const entry: Entry = { startedAt: at, page: search(), askedAgain: before !== undefined && isFresh(before, at) };
  pages.delete(key);
  forgetOldest(pages, MAX_PAGES, ({ startedAt }) => isFresh(startedAt, at));
  pages.set(key, entry);
  void afterwards(known, key, entry);
  return entry.page as Promise<Page>;
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
  return pages.get(key) === entry && pages.delete(key);
}

function remember(asked: Map<string, number>, key: string, at: number): void {
  asked.delete(key);
  forgetOldest(asked, MAX_ASKED, (startedAt) => isFresh(startedAt, at));
  asked.set(key, at);
}

/** Makes room for one more, and lets go of what is over. */
function forgetOldest<Value>(entries: Map<string, Value>, most: number, isKept: (value: Value) => boolean): void {
  for (const [key, value] of entries) {
    if (isKept(value) && entries.size < most) return;
    entries.delete(key);
  }
}
