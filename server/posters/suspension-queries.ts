import type { Queryable, Tx } from '../db/database.ts';

/** Whether a poster is suspended, and why. */
export type Suspension = { suspendedAt: Date | null; reason: string | null };

const columns = (db: Queryable) => db`suspended_at as "suspendedAt", suspend_reason as reason`;

/** Locks the row until the end of the transaction, for a change. */
export async function lockSuspension(tx: Tx, posterId: string): Promise<Suspension | null> {
  const [row] = await tx<Suspension[]>`
    select ${columns(tx)} from posters where id = ${posterId} for no key update`;
  return row ?? null;
}

/** Reads the row. `forShare` keeps it unchanged until the end of the transaction. */
export async function findSuspension(
  db: Queryable,
  posterId: string,
  { forShare }: { forShare: boolean },
): Promise<Suspension | null> {
  const [row] = await db<Suspension[]>`
    select ${columns(db)} from posters where id = ${posterId} ${forShare ? db`for share` : db``}`;
  return row ?? null;
}

export async function updateSuspension(tx: Tx, posterId: string, { suspendedAt, reason }: Suspension): Promise<void> {
  await tx`
    update posters set suspended_at = ${suspendedAt}, suspend_reason = ${reason} where id = ${posterId}`;
}
