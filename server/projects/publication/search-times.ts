import type { Db } from '../../db/database.ts';
import { createKept } from '../../kept.ts';

/**
 * `created_after` reaches back by this much. An agent that polls with its own clock needs it: a shared page is up to 1 s
 * old, a publication that is not late commits within 250 ms, and the rest is for the difference between the clocks.
 */
const REACH_MS = 2_000;

/** `confirmed`: every publication with an earlier time has committed, and is in `late_publications` if it was late. */
type KnownTimes = { newest: Date; confirmed: Date; lastLate: Date | null };

/** A process reads `publication_clock` once a second. An older value is safe: searches only repeat more projects. */
const known = createKept<KnownTimes>({ lifeMs: 1_000, most: 1 });

/**
 * Returns the horizon of a search: every project that a later search shows for the first time became visible at this time
 * or later. Call it before the search reads projects. A publication that is not committed then takes its time from
 * the publication clock or a later time, and a project in early access becomes visible after `now`.
 */
export async function searchHorizon(db: Db, now: Date): Promise<Date> {
  const { newest } = await readClock(db, now);
  return newest < now ? newest : now;
}

/**
 * Returns the time after which a search shows projects, for an agent that polled at `createdAfter`. It is earlier than
 * the time of every project whose publication had not committed by then. Call it before the search reads projects:
 * a publication that commits between the two takes a later time.
 */
export async function searchStart(db: Db, now: Date, createdAfter: Date): Promise<Date> {
  // No project is older than 1970, and PostgreSQL reads no time before the year 1.
  const reach = new Date(Math.max(0, createdAfter.getTime() - REACH_MS));
  // A time in the future needs no correction.
  if (reach >= now) return reach;
  const { confirmed, lastLate } = await readClock(db, now);
  const late = lastLate && lastLate > reach ? await firstLate(db, reach) : null;
  const earliest = Math.min(confirmed.getTime(), late?.getTime() ?? Infinity);
  return earliest > reach.getTime() ? reach : new Date(earliest - 1);
}

function readClock(db: Db, now: Date): Promise<KnownTimes> {
  return known.get(db, { key: '', now }, () => readNow(db));
}

async function readNow(db: Db): Promise<KnownTimes> {
  const [row] = await db<[KnownTimes]>`
    select newest_at as newest, least(newest_at, unconfirmed_at) as confirmed,
      (select max(listed_by) from late_publications) as "lastLate"
    from publication_clock`;
  return row;
}

/** Returns the earliest time of a publication that may have committed after `reach`. Primary key. */
async function firstLate(db: Db, reach: Date): Promise<Date | null> {
  const [row] = await db<[{ at: Date | null }]>`
    select min(published_at) as at from late_publications where listed_by > ${reach}`;
  return row.at;
}
