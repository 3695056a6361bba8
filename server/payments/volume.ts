import { keepDays, listKeptDays, readDatabaseTime, sumDays, type VolumeRow } from './read-queries.ts';
import type { Queryable } from '../db/database.ts';

const DAY_MS = 86_400_000;
// A process whose clock is behind may book a payment with a time just before midnight, after midnight.
const SETTLED_MS = 3_600_000;

/**
 * Returns the settled volume of each of the last UTC days by kind, today included. Days without payments have no row. Past
 * days are summed once and stored; only newer days are read from `payments`.
 */
export async function volumeOf(db: Queryable, { now, days }: { now: Date; days: number }): Promise<VolumeRow[]> {
  const today = dayOf(now.getTime());
  const all = Array.from({ length: days }, (_, index) => dayOf(now.getTime() - (days - 1 - index) * DAY_MS));
  const [first = today] = all;
  const [kept, databaseTime] = await Promise.all([listKeptDays(db, first), readDatabaseTime(db)]);
  // A day is over when both clocks say so. A clock that is ahead would store half of a day for good.
  const over = dayOf(Math.min(now.getTime(), databaseTime.getTime()) - SETTLED_MS);
  const known = new Set(kept.map(({ day }) => day));
  const missing = all.filter((day) => !known.has(day));
  const [from] = missing;
  const read = from === undefined ? [] : await sumDays(db, { from, to: dayOf(now.getTime() + DAY_MS) });
  const unstored = new Set(missing);
  const fresh = read.filter(({ day }) => unstored.has(day));
  const ended = missing.filter((day) => day < over);
  if (ended.length > 0)
    await keepDays(
      db,
      ended,
      fresh.filter(({ day }) => day < over),
    );
  return [...kept, ...fresh].filter(({ payments }) => payments > 0);
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
