import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import type { Db, Tx } from '../context.ts';

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
      // postgres.js unwraps arrays of promises in the type; verbs return plain values.
      return (await db.begin(work)) as T;
    } catch (error) {
      if (attempt >= ATTEMPTS || !isRetryable(error)) throw error;
      await sleep(attempt * attempt * 5);
    }
  }
}

function isRetryable(error: unknown): boolean {
  return (
    error instanceof postgres.PostgresError &&
    (error.code === SERIALIZATION_FAILURE || error.code === DEADLOCK_DETECTED)
  );
}
