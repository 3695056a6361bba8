import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, TransactionOptions, Tx } from './database.ts';
import { DatabaseError, isStale } from './errors.ts';

const ATTEMPTS = 5;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

/**
 * Runs `work` in one transaction. Runs it again, in 5 attempts at most, when PostgreSQL reports a serialization failure
 * (40001) or a deadlock (40P01), or when a migration has changed what a prepared statement returns. So `work` does database
 * work only: it calls nothing outside and changes no state outside.
 *
 * `afterCommit` is called once with the result of the attempt that was committed, before the promise resolves. Use it to
 * wake a reader of the new rows. It must not throw: the work is committed by then. It is not called when the connection is
 * lost during the commit, or when no synchronous standby confirmed it, although that commit may have succeeded.
 */
export async function withTransaction<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  { afterCommit, ...options }: TransactionOptions & { afterCommit?: (result: T) => void } = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    let result: T;
    try {
      result = await db.begin(work, options);
    } catch (error) {
      if (attempt >= ATTEMPTS || !isRetryable(error)) throw error;
      await sleep(attempt * attempt * 5);
      continue;
    }
    afterCommit?.(result);
    return result;
  }
}

function isRetryable(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  return error.code === SERIALIZATION_FAILURE || error.code === DEADLOCK_DETECTED || isStale(error);
}
