import { paymentColumns, type PaymentRow } from './queries.ts';
import type { Queryable, Tx } from '../db/database.ts';

/** The longest time from now that `payments/` writes as the end of a lease or as the next sweep. */
export const LONGEST_BACKOFF_MS = 10 * 60_000;

/** When a lease is taken, and until when. */
export type LeaseTimes = { now: Date; leaseUntil: Date };

/** Takes the lease of a settling payment once the last one has run out. Null when another process took it. */
export async function takeLease(
  db: Queryable,
  id: string,
  { now, leaseUntil }: LeaseTimes,
): Promise<PaymentRow | null> {
  const [row] = await db<PaymentRow[]>`
    update payments set lease_until = ${leaseUntil}
    where id = ${id} and state = 'settling' and ${isFree(db, now)}
    returning ${paymentColumns(db)}`;
  return row ?? null;
}

/** Tells whether a process holds the lease of a payment. */
export function isLeased({ leaseUntil }: Pick<PaymentRow, 'leaseUntil'>, now: Date): boolean {
  return leaseUntil !== null && leaseUntil > now && leaseUntil <= latestTime(now);
}

/** Makes payments due whose next sweep is a time of a clock that was set back. Index payments_sweep. */
export async function takeBackSweeps(db: Queryable, now: Date): Promise<void> {
  await db`
    update payments set sweep_at = ${now}
    where id in (
      select id from payments where ${isSwept(db)} and sweep_at > ${latestTime(now)} for update skip locked)`;
}

/**
 * Leases the payments that are due for the sweeper. Index payments_sweep. The subquery is materialized because PostgreSQL
 * could plan a plain one to run, and lock rows, more than once.
 */
export async function leaseDue(db: Queryable, limit: number, { now, leaseUntil }: LeaseTimes): Promise<PaymentRow[]> {
  return await db<PaymentRow[]>`
    with due as materialized (
      select id as due_id from payments where ${isSwept(db)} and sweep_at <= ${now} and ${isFree(db, now)}
      order by sweep_at limit ${limit} for update skip locked
    )
    update payments set lease_until = ${leaseUntil} from due where id = due_id
    returning ${paymentColumns(db)}`;
}

const isSwept = (db: Queryable) => db`(state = 'settling' or (state = 'failed' and watched))`;

const isFree = (db: Queryable, now: Date) => db`
  (lease_until is null or lease_until <= ${now} or lease_until > ${latestTime(now)})`;

/**
 * A lease or a sweep after this time comes from a clock that was set back. It counts as over: the payment would stay
 * unresolved for the length of that step. Clocks of different processes differ by less than one backoff.
 */
function latestTime(now: Date): Date {
  return new Date(now.getTime() + 2 * LONGEST_BACKOFF_MS);
}

/** Deletes a transfer out that moved nothing and can move nothing any more, if its lease is still the one of `row`. */
export async function deleteUnspent(tx: Tx, row: Pick<PaymentRow, 'id' | 'leaseUntil'>): Promise<boolean> {
  const { count } = await tx`
    delete from payments where id = ${row.id} and state = 'settling' and lease_until = ${row.leaseUntil}`;
  return count === 1;
}
