import { setTimeout as sleep } from 'node:timers/promises';
import { postgres } from './driver.ts';
import type { Db, Tx } from '../ports/database.ts';

const ATTEMPTS = 5;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK_DETECTED = '40P01';

/**
 * Runs `work` in one transaction, again from the start when PostgreSQL says that it lost a race (40001, 40P01).
 * `work` therefore does nothing but database work: no call out, no state outside.
 */
export async function withTransaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(db, work);
    } catch (error) {
      if (attempt >= ATTEMPTS || !isRetryable(error)) throw error;
      await sleep(attempt * attempt * 5);
    }
  }
}

/**
 * postgres.js ends a failed transaction with a ROLLBACK. Sent after the connection has closed, that throws where nobody
 * can catch it, and takes the process down: so where the connection is lost the driver is left to wait, until it sees
 * the close itself, and the caller learns at once.
 */
async function once<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  const lost = Promise.withResolvers<never>();
  const done = db.begin(async (tx) => {
    try {
      return await work(tx);
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
      lost.reject(error);
      return await new Promise<never>(() => {});
    }
  });
  // postgres.js unwraps arrays of promises in the type; verbs return plain values.
  return (await Promise.race([done, lost.promise])) as T;
}

/** Codes of postgres.js, of the system, and what a server says that is just ending the connection. */
function isConnectionLost(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return error.severity === 'FATAL' || error.severity === 'PANIC';
  if (!(error instanceof Error) || !('code' in error)) return false;
  return 'syscall' in error || String(error.code).startsWith('CONNECTION_');
}

function isRetryable(error: unknown): boolean {
  return (
    error instanceof postgres.PostgresError &&
    (error.code === SERIALIZATION_FAILURE || error.code === DEADLOCK_DETECTED)
  );
}
