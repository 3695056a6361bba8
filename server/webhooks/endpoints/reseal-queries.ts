import type { Queryable } from '../../ports/database.ts';

/** The encrypted secrets of one webhook, of an agent or of an account. */
export type SealedRow = { id: string; secret: Buffer; previousSecret: Buffer | null };

/** Returns the next rows in the order of their ids. Primary key. */
export async function listSecrets(
  db: Queryable,
  { after, limit }: { after: string | null; limit: number },
): Promise<SealedRow[]> {
  return await db<SealedRow[]>`
    select id, secret, previous_secret as "previousSecret" from webhooks
    where ${after}::uuid is null or id > ${after} order by id limit ${limit}`;
}

/** Replaces the secrets of a row that still has those of `row`: its owner may have rotated them meanwhile. */
export async function replaceSecrets(db: Queryable, row: SealedRow, sealed: Omit<SealedRow, 'id'>): Promise<boolean> {
  const { count } = await db`
    update webhooks set secret = ${sealed.secret}, previous_secret = ${sealed.previousSecret}
    where id = ${row.id} and secret = ${row.secret} and previous_secret is not distinct from ${row.previousSecret}`;
  return count === 1;
}
