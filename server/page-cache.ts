import type { Db } from './db/database.ts';
import { createKept } from './kept.ts';

/** Finished pages. A page of 50 of the longest briefs takes 1 MB. */
export const pages = createKept<Buffer<ArrayBuffer>>({ lifeMs: 1_000, most: 100 });

/** Drops all pages, so that the caller's next request shows its change. Other processes show it within a second. */
export const forgetSearches = (db: Db): void => pages.forget(db);
