import type { Queryable, Tx } from '../db/database.ts';

export async function insertPoster(
  tx: Tx,
  poster: { id: string; name: string; email: string | null; termsVersion: string | null; now: Date },
): Promise<void> {
  await tx`
    insert into posters (id, name, email, terms_version, created_at)
    values (${poster.id}, ${poster.name}, ${poster.email}, ${poster.termsVersion}, ${poster.now})`;
}

export type PosterName = { id: string; name: string; createdAt: Date };

async function listNames(db: Queryable, ids: string[]): Promise<PosterName[]> {
  return await db<PosterName[]>`select id, name, created_at as "createdAt" from posters where id = any(${ids})`;
}

/** Returns the public data of posters by id: name and registration time. */
export async function posterNames(db: Queryable, ids: string[]): Promise<Map<string, PosterName>> {
  const rows = ids.length === 0 ? [] : await listNames(db, [...new Set(ids)]);
  return new Map(rows.map((row) => [row.id, row]));
}
