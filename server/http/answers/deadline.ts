import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseDeadline, unavailable } from './errors.ts';
import type { Db } from '../../ports/database.ts';

// Above statement_timeout (10 s) and connect_timeout (5 s), which end most waits with a better message.
const PLAIN_MS = 20_000;
// A paid request may wait 15 s for a settlement besides.
const PAID_MS = 60_000;
const PROBE_MS = 1_000;
const CHECK_MS = 250;

export type Deadlines = {
  /** What `work` comes to, or why there is no answer when its time is over. The work itself goes on. */
  keep<T>(work: Promise<T>, paid: boolean): Promise<T>;
  stop(): void;
};

/**
 * `refuse` is let go of when the answer is there. A Set that many come to and leave is copied again and again; its dead
 * copies point from one to the next, and each still holds whom it held, so that once one of them is old, all that they hold
 * grows old too. Before this, and the same in projects/search-cache.ts, of 33 MB of young objects 4.1 outlived their
 * collection instead of 0.45, and searches had a full collection every 0.6 s instead of none in half a minute (`--trace-gc`).
 */
type Waiting = { endsAt: number; refuse: (error: unknown) => void };

const ignore = () => {};

/**
 * Answers when nothing below did: a database that accepts connections and then stays silent would hold a request for ever.
 * A payment that such a request started is finished by the sweeper. One timer looks after all requests: a search that is
 * answered from memory takes 32 µs of CPU, and 33 with a timer of its own.
 */
export function createDeadlines(db: Db): Deadlines {
  // Of one length each, so that whoever came first is the next whose time is over.
  const plain = new Set<Waiting>();
  const paidOnes = new Set<Waiting>();
  const timer = setInterval(() => {
    const now = performance.now();
    for (const waiting of [plain, paidOnes]) {
      for (const one of waiting) {
        if (one.endsAt > now) break;
        waiting.delete(one);
        void lateAnswer(db).then(one.refuse, one.refuse);
      }
    }
  }, CHECK_MS);
  timer.unref();
  return {
    keep<T>(work: Promise<T>, paid: boolean) {
      const waiting = paid ? paidOnes : plain;
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const one: Waiting = { endsAt: performance.now() + (paid ? PAID_MS : PLAIN_MS), refuse: reject };
      waiting.add(one);
      work.then(resolve, reject);
      const end = () => {
        waiting.delete(one);
        one.refuse = ignore;
      };
      work.then(end, end);
      return promise;
    },
    stop: () => clearInterval(timer),
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
