import type { StoredKey } from '../keys/public.ts';
import type { PosterCaller } from '../ports/callers.ts';
import type { Queryable, Tx } from '../ports/database.ts';

export async function insertPoster(
  tx: Tx,
  poster: { id: string; name: string; email: string | null; termsVersion: string | null; now: Date },
): Promise<void> {
  await tx`
    insert into posters (id, name, email, terms_version, created_at)
    values (${poster.id}, ${poster.name}, ${poster.email}, ${poster.termsVersion}, ${poster.now})`;
}

export async function insertKey(
  tx: Tx,
  key: { id: string; posterId: string; secretHash: string; now: Date },
): Promise<void> {
  await tx`
    insert into poster_keys (id, poster_id, secret_hash, created_at)
    values (${key.id}, ${key.posterId}, decode(${key.secretHash}, 'hex'), ${key.now})`;
}

/** Reads by primary key. */
export async function findKeyHolder(db: Queryable, keyId: string): Promise<StoredKey<PosterCaller> | null> {
  const [row] = await db<{ posterId: string; secretHash: string; expiresAt: Date | null }[]>`
    select poster_id as "posterId", encode(secret_hash, 'hex') as "secretHash", expires_at as "expiresAt"
    from poster_keys where id = ${keyId}`;
  if (!row) return null;
  const { posterId, secretHash, expiresAt } = row;
  return { secretHash, expiresAt, caller: { kind: 'poster', posterId, keyId } };
}

export type PosterName = { id: string; name: string; createdAt: Date };

export async function listNames(db: Queryable, ids: string[]): Promise<PosterName[]> {
  return await db<PosterName[]>`select id, name, created_at as "createdAt" from posters where id = any(${ids})`;
}
