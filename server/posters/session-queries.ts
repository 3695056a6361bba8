import type { Queryable, Tx } from '../db/database.ts';

export type PosterRow = {
  id: string;
  name: string;
  walletAddress: string | null;
  createdAt: Date;
};

/** Returns the poster of this wallet, and creates it on the first sign-in. Index posters_wallet. */
export async function posterOfWallet(
  tx: Tx,
  poster: { id: string; name: string; address: string; termsVersion: string | null; now: Date },
): Promise<PosterRow> {
  const { address } = poster;
  await tx`
    insert into posters (id, name, wallet_address, terms_version, created_at)
    values (${poster.id}, ${poster.name}, ${address}, ${poster.termsVersion}, ${poster.now})
    on conflict (wallet_address) do nothing`;
  const [row] = await tx<[PosterRow]>`select ${posterColumns(tx)} from posters where wallet_address = ${address}`;
  return row;
}

export async function findPoster(db: Queryable, posterId: string): Promise<PosterRow | null> {
  const [row] = await db<PosterRow[]>`select ${posterColumns(db)} from posters where id = ${posterId}`;
  return row ?? null;
}

function posterColumns(db: Queryable) {
  return db`id, name, wallet_address as "walletAddress", created_at as "createdAt"`;
}

/** Returns the poster that signs in with this wallet, or null. */
export async function findPosterOfWallet(db: Queryable, wallet: string): Promise<string | null> {
  const [row] = await db<{ id: string }[]>`select id from posters where wallet_address = ${wallet}`;
  return row?.id ?? null;
}
