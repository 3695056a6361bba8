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

export async function listNames(db: Queryable, ids: string[]): Promise<PosterName[]> {
  return await db<PosterName[]>`select id, name, created_at as "createdAt" from posters where id = any(${ids})`;
}
