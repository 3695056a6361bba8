import { DomainError } from '../../contract/basics/errors.ts';
import type { ChainComparison } from './types.ts';
import type { Queryable } from '../db/database.ts';
import { newestCheck } from './check-queries.ts';

/** Returns why a recovery must run before the service moves money again. Null if none must. */
export async function recoveryNeeded(db: Queryable): Promise<string | null> {
  const [row] = await db<{ reason: string }[]>`select reason from recovery_state where needed_since is not null`;
  return row?.reason ?? null;
}

/** Returns since when a recovery must run. Null if none must. */
export async function recoveryNeededSince(db: Queryable): Promise<Date | null> {
  const [row] = await db<{ at: Date }[]>`select needed_since as at from recovery_state where needed_since is not null`;
  return row?.at ?? null;
}

/**
 * Names the database server: a restart, a restore, and a promotion each begin another start time. Every server can tell it,
 * also a managed one, and the role of the service may ask.
 */
const serverColumn = (db: Queryable) => db`extract(epoch from pg_postmaster_start_time())::text as server`;

export async function serverName(db: Queryable): Promise<string> {
  const [row] = await db<[{ server: string }]>`select ${serverColumn(db)}`;
  return row.server;
}

/** `reason`: as a client is told it. */
export type Stop = { reason: string; retryAfterSeconds: number };

const NOT_RECOVERED: Stop = {
  reason: 'the service waits until its operator has recovered the database',
  retryAfterSeconds: 60,
};
const NOT_COMPARED: Stop = { reason: 'the service compares its database with the chain first', retryAfterSeconds: 2 };

/**
 * Returns why no money may move and no project may end: a recovery must run, or this process has not compared this server
 * with the chain. Null: both may. Asked in the transaction of the change, it notices a failover under a running process.
 */
export async function whyStopped(
  { comparison }: { comparison: Pick<ChainComparison, 'isOf'> },
  db: Queryable,
): Promise<Stop | null> {
  const [row] = await db<[{ server: string; needed: boolean }]>`
    select ${serverColumn(db)}, exists (select from recovery_state where needed_since is not null) as needed`;
  if (row.needed) return NOT_RECOVERED;
  return comparison.isOf(row.server) ? null : NOT_COMPARED;
}

/** The answer to a request that must wait. After a restore, the database may not know that this was done before. */
export function mustWait(stop: Stop, unchanged: 'Nothing was charged' | 'Nothing was changed'): DomainError {
  const message = `${unchanged}: ${stop.reason}. Try again later.`;
  return new DomainError('INTERNAL_ERROR', message, { status: 503, retryAfterSeconds: stop.retryAfterSeconds });
}

/** Waits a moment for the comparison at the start. @throws DomainError INTERNAL_ERROR (503) without one */
export async function requireCompared(
  { comparison }: { comparison: ChainComparison },
  unchanged: Parameters<typeof mustWait>[1],
): Promise<void> {
  if (!(await comparison.made())) throw mustWait(NOT_COMPARED, unchanged);
}

/** Stops all money until a recovery has run. A reason that is stored already stays. */
export async function requireRecovery(db: Queryable, reason: string, at: Date): Promise<void> {
  await db`
    insert into recovery_state as kept (needed_since, reason) values (${at}, ${reason})
    on conflict (single) do update set needed_since = excluded.needed_since, reason = excluded.reason
      where kept.needed_since is null`;
}

/**
 * Stores up to which block everything was recovered. Money moves again. Returns false if this is not the `server` that was
 * recovered, or if a recovery became necessary later than `since`: what a failover lost meanwhile was not booked.
 */
export async function finishRecovery(
  db: Queryable,
  { server, since, untilBlock, at }: { server: string; since: Date | null; untilBlock: number; at: Date },
): Promise<boolean> {
  const { count } = await db`
    insert into recovery_state as kept (recovered_until, recovered_at)
    select ${untilBlock}, ${at} from (select ${serverColumn(db)}) now where now.server = ${server}
    on conflict (single) do update set needed_since = null, reason = null, recovered_at = excluded.recovered_at,
      recovered_until = greatest(kept.recovered_until, excluded.recovered_until)
      where kept.needed_since is null or kept.needed_since = ${since}`;
  return count === 1;
}

/**
 * Returns why payouts are stopped: the database must be recovered first, or the newest ledger check found a mismatch.
 * Returns null if payouts can be sent.
 */
export async function payoutsStopped(db: Queryable): Promise<string | null> {
  const [needed, check] = await Promise.all([recoveryNeeded(db), newestCheck(db)]);
  if (needed !== null) return needed;
  if (check === null || (check.balanced && check.chainMatches)) return null;
  return check.problems[0] ?? 'the newest ledger check found a mismatch';
}
