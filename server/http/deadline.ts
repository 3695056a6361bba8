import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../context.ts';
import { DatabaseDeadline, unavailable } from './errors.ts';

// Above statement_timeout (10 s) and connect_timeout (5 s), which end most waits with a better message.
const PLAIN_MS = 20_000;
// A paid request may wait 15 s for a settlement besides.
const PAID_MS = 60_000;
const PROBE_MS = 1_000;

/**
 * Answers when nothing below did: a database that accepts connections and then stays silent would hold a request for ever.
 * The work itself goes on; a payment that it started is finished by the sweeper.
 */
export async function withDeadline<T>(db: Db, paid: boolean, work: Promise<T>): Promise<T> {
  // Not Promise.race, which makes several promises more for every request.
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => void lateAnswer(db).then(reject, reject), paid ? PAID_MS : PLAIN_MS);
  work.then(resolve, reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
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
