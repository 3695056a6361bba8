import { setTimeout as sleep } from 'node:timers/promises';
import { trackTransaction } from './connection-wait.ts';
import { postgres } from './driver.ts';
import type { Db, Tx } from '../ports/database.ts';

const ATTEMPTS = 5;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

/**
 * Runs `work` in one transaction. Runs it again, in 5 attempts at most, when PostgreSQL reports a serialization failure
 * (40001) or a deadlock (40P01). So `work` does database work only: it calls nothing outside and changes no state
 * outside.
 *
 * `afterCommit` is called once with the result of the attempt that was committed, before the promise resolves. Use it to
 * wake a reader of the new rows. It must not throw: the work is committed by then. It is not called when the connection is
 * lost during the commit, or when no synchronous standby confirmed it, although that commit may have succeeded.
 */
export async function withTransaction<T>(
  db: Db,
  work: (tx: Tx) => Promise<T>,
  { afterCommit }: { afterCommit?: (result: T) => void } = {},
): Promise<T> {
  const result = await retryRaces(() => runOnce(db, work));
  afterCommit?.(result);
  return result;
}

async function retryRaces<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= ATTEMPTS || !isRetryable(error)) throw error;
      await sleep(attempt * attempt * 5);
    }
  }
}

async function runOnce<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const tracked = trackTransaction(db);
  const done = db.begin(async (tx) => {
    tracked.started();
    return await work(tx);
  });
  // The type of `begin` unwraps arrays of promises; callers return plain values.
  return (await done.finally(() => tracked.ended())) as T;
}

function isRetryable(error: unknown): boolean {
  return (
    error instanceof postgres.PostgresError &&
    (error.code === SERIALIZATION_FAILURE || error.code === DEADLOCK_DETECTED)
  );
}
