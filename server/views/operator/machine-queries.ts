import type { Queryable } from '../../ports/database.ts';

/** The lanes of facilitator keys. The table has one row for each key; a lease that is over counts as free. */
export async function readLanes(db: Queryable): Promise<{ address: string; heldUntil: Date | null }[]> {
  return await db<{ address: string; heldUntil: Date | null }[]>`
    select address, case when lease_until > clock_timestamp() then lease_until end as "heldUntil"
    from signer_lanes order by address`;
}

/** Emails whose next attempt is due, counted to at most `most`. Index mail_outbox_due. */
export async function countDueMail(
  db: Queryable,
  now: Date,
  most: number,
): Promise<{ count: number; oldestAt: Date | null }> {
  const [row] = await db<[{ count: number; oldestAt: Date | null }]>`
    select count(*) as count, min(due_at) as "oldestAt"
    from (select due_at from mail_outbox where due_at <= ${now} order by due_at limit ${most}) due`;
  return row;
}
