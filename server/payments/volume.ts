import { keepDays, listKeptDays, readDatabaseTime, sumDays, type VolumeRow } from './volume-queries.ts';
import type { Queryable } from '../ports/database.ts';

export type { VolumeRow };

const DAY_MS = 86_400_000;
// A payment that was settled just before midnight may be booked after it, by a clock that is behind.
const SETTLED_MS = 3_600_000;

/**
 * What settled on each of the last UTC days, today included, by kind; days without anything have no row. Days that are
 * over are summed up once and kept: only what is new is read from the payments.
 */
export async function volumeOf(db: Queryable, { now, days }: { now: Date; days: number }): Promise<VolumeRow[]> {
  const today = dayOf(now.getTime());
  const all = Array.from({ length: days }, (_, index) => dayOf(now.getTime() - (days - 1 - index) * DAY_MS));
  const [first = today] = all;
  const [kept, databaseTime] = await Promise.all([listKeptDays(db, first), readDatabaseTime(db)]);
  // Both clocks have to agree that a day is over: one that is ahead would keep half of it for good.
  const over = dayOf(Math.min(now.getTime(), databaseTime.getTime()) - SETTLED_MS);
  const known = new Set(kept.map(({ day }) => day));
  const missing = all.filter((day) => !known.has(day));
  const [from] = missing;
  const read = from === undefined ? [] : await sumDays(db, { from, to: dayOf(now.getTime() + DAY_MS) });
  const wanted = new Set(missing);
  const fresh = read.filter(({ day }) => wanted.has(day));
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
