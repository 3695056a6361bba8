import type { Deps } from '../../deps.ts';
import type { Db, Queryable, Tx } from '../../ports/database.ts';

/**
 * Clocks of processes may differ by this much, and a clock may be set back by this much. A publication then takes the
 * time of the newest one. After a larger step, publications follow the clock again, or they would lie in the future.
 */
const MAX_STEP_MS = 5_000;
/** A process reads the clock once in this time. An older time is still right: it only shows more projects twice. */
const READ_EVERY_MS = 1_000;

/**
 * Takes the time of a publication, and makes other publications wait until this one commits. So publications commit in
 * the order of their times. Take it as late as possible in the transaction.
 */
export async function takePublicationTime(tx: Tx, { clock }: Pick<Deps, 'clock'>): Promise<Date> {
  const [newest] = await tx<[{ at: Date }]>`select newest_at as at from publication_clock for update`;
  // Read under the lock: a time from before the wait could be older than that of the publication before.
  const now = clock.now();
  const isBehind = now < newest.at && newest.at.getTime() - now.getTime() <= MAX_STEP_MS;
  const at = isBehind ? newest.at : now;
  await tx`update publication_clock set newest_at = ${at}`;
  return at;
}

/**
 * Moves the publication clock forward while nothing is published, so that the horizon of searches follows the time. It
 * never waits for a publication: that publication sets the clock itself.
 */
export async function advancePublicationClock({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  await db`
    update publication_clock set newest_at = ${now}
    where only_row in (select only_row from publication_clock where newest_at < ${now} for update skip locked)`;
}

const known = new WeakMap<Db, { readAt: number; newest: Promise<Date> }>();

/**
 * Returns the horizon of a search: every project that a later search shows for the first time became visible at this time
 * or later. Call it before the search reads the listings. A publication that is not committed then takes its time from
 * the publication clock or a later time, and a project in early access becomes visible after `now`.
 */
export async function searchHorizon(db: Db, now: Date): Promise<Date> {
  const at = now.getTime();
  let entry = known.get(db);
  if (!entry || at < entry.readAt || at - entry.readAt >= READ_EVERY_MS) {
    entry = { readAt: at, newest: readNewest(db) };
    known.set(db, entry);
    entry.newest.catch(() => known.delete(db));
  }
  const newest = await entry.newest;
  return newest < now ? newest : now;
}

/** Returns the time of the publication clock, which changes every second. */
export async function readNewest(db: Queryable): Promise<Date> {
  const [row] = await db<[{ at: Date }]>`select newest_at as at from publication_clock`;
  return row.at;
}
