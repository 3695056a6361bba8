import { mayStillSettle } from '../payments/public.ts';
import { placeEnd } from '../projects/public.ts';
import type { Queryable, Tx } from '../db/database.ts';

/**
 * Lets a fee that is being claimed or booked hold its place without a confirmed entry: for the time in the terms, or for half
 * of the time until entries end, if that is less. The caller has taken the place, and holds the project's lock.
 */
export async function holdPlace(
  tx: Tx,
  submissionId: string,
  { now, byOwner }: { now: Date; byOwner: boolean },
): Promise<void> {
  const end = placeEnd(tx, tx`submissions.project_id`, now);
  await tx`update submissions set place_until = ${end}, paid_by_owner = ${byOwner} where id = ${submissionId}`;
}

/** Returns whether the entry held a place that could lapse. */
export async function endPlace(tx: Tx, submissionId: string): Promise<boolean> {
  const { count } = await tx`
    update submissions set place_until = null where id = ${submissionId} and place_until is not null`;
  return count === 1;
}

/** Entries whose place has lapsed. A requested confirmation keeps it, and a settling fee does until its signature expires. */
const lapsing = (db: Queryable, now: Date) => db`
  place_until <= ${now} and not exists (
    select 1 from media_files where submission_id = submissions.id and media_files.status = 'pending'
      and confirm_requested_at is not null) and not ${mayStillSettle(db, 'entry_fee', db`submissions.id`, now)}`;

/** Index submissions_place_until. */
export async function listLapsing(
  db: Queryable,
  { now, limit }: { now: Date; limit: number },
): Promise<{ id: string; projectId: string }[]> {
  return await db<{ id: string; projectId: string }[]>`
    select id, project_id as "projectId" from submissions where ${lapsing(db, now)}
    order by place_until, id limit ${limit}`;
}

/** Returns whether the place has lapsed now. The caller holds the project's exclusive lock. */
export async function lapsePlace(tx: Tx, submissionId: string, now: Date): Promise<boolean> {
  const { count } = await tx`
    update submissions set place_until = null where id = ${submissionId} and ${lapsing(tx, now)}`;
  return count === 1;
}
