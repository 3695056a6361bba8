import type { Tx } from '../ports/database.ts';

/**
 * Counts the open projects that a poster has canceled since a time. One cancellation of a poster at a time gets an answer,
 * until its transaction ends. The caller holds the lock of its project. Index projects_poster.
 */
export async function countCancelled(tx: Tx, posterId: string, since: Date): Promise<number> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`cancellations:${posterId}`}, 0))`;
  const [row] = await tx<[{ count: number }]>`
    select count(*) as count from projects
    where poster_id = ${posterId} and cancelled_at >= ${since} and cancelled_by = 'poster' and published_at is not null
      and no_winner_reason is null`;
  return row.count;
}
