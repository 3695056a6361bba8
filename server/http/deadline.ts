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
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, paid ? PAID_MS : PLAIN_MS, 'late');
  });
  try {
    const first = await Promise.race([work, late]);
    if (first !== 'late') return first;
    work.catch(() => {});
    throw (await databaseAnswers(db)) ? unavailable('The request took too long. Try again.') : new DatabaseDeadline();
  } finally {
    clearTimeout(timer);
  }
}

async function databaseAnswers(db: Db): Promise<boolean> {
  const probe = db`select 1`.then(
    () => true,
    () => false,
  );
  return await Promise.race([probe, sleep(PROBE_MS, false)]);
}
