import { listNames, type PosterName } from './queries.ts';
import type { Queryable } from '../db/database.ts';

/** Returns the public data of posters by id: name and registration time. */
export async function posterNames(db: Queryable, ids: string[]): Promise<Map<string, PosterName>> {
  const rows = ids.length === 0 ? [] : await listNames(db, [...new Set(ids)]);
  return new Map(rows.map((row) => [row.id, row]));
}
