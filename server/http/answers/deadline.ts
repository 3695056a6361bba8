import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseDeadline, unavailable } from './errors.ts';
import type { Db } from '../../ports/database.ts';

// Longer than statement_timeout (10 s) and connect_timeout (5 s), which end most waits with a better message.
const PLAIN_MS = 20_000;
// A paid request may also wait 15 s for a settlement, and a file may take 26 s to arrive.
const LONG_MS = 60_000;
const PROBE_MS = 1_000;

/**
 * Settles with the result of `work`. Rejects with a 503 or a database error when the time of the request is over; `work`
 * goes on, and the sweeper finishes a payment that it started.
 */
export type WithDeadline = <T>(work: Promise<T>, long: boolean) => Promise<T>;

/** A database that accepts connections and then stays silent would otherwise hold a request forever. */
export function createDeadline(db: Db): WithDeadline {
  return async (work, long) => {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => void lateAnswer(db).then(reject, reject), long ? LONG_MS : PLAIN_MS);
    timer.unref();
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

async function lateAnswer(db: Db): Promise<Error> {
  return (await databaseAnswers(db)) ? unavailable('The request took too long. Try again.') : new DatabaseDeadline();
}

async function databaseAnswers(db: Db): Promise<boolean> {
  const probe = db`select 1`.then(
    () => true,
    () => false,
  );
  return await Promise.race([probe, sleep(PROBE_MS, false)]);
}
