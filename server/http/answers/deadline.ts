import type { Breaker } from '../../db/database.ts';
import { DatabaseDown, requireDatabase } from '../../db/public.ts';
import { isDatabaseDown, unavailable } from './errors.ts';

/** After each of these periods, a request that still waits asks whether the database answers. */
const CHECK_MS = 2_500;
// Longer than statement_timeout (10 s) and connect_timeout (5 s), which end most waits with a better message.
const PLAIN_MS = 20_000;
// A paid request may also wait 15 s for a settlement.
const LONG_MS = 60_000;

/**
 * Settles with the result of `work`. Rejects with a 503 when the time of the request is over, or with DatabaseDown when the
 * database does not answer. `work` goes on, and the sweeper finishes a payment that it started.
 */
export type WithDeadline = <T>(work: Promise<T>, long: boolean) => Promise<T>;

/**
 * A database that accepts connections and then stays silent would otherwise hold a request for long. With a check after
 * 2.5 s and a probe of 2 s, a request without a database ends within 5 s.
 */
export function createDeadline(breaker: Pick<Breaker, 'answers'>): WithDeadline {
  return async (work, long) => {
    const { promise: late, reject } = Promise.withResolvers<never>();
    let periods = (long ? LONG_MS : PLAIN_MS) / CHECK_MS;
    const check = async () => {
      periods -= 1;
      const isOver = periods <= 0;
      if (!(await breaker.answers())) reject(new DatabaseDown());
      else if (isOver) reject(unavailable('The request took too long. Try again.'));
    };
    const timer = setInterval(() => void check(), CHECK_MS);
    timer.unref();
    try {
      return await Promise.race([work, late]);
    } finally {
      clearInterval(timer);
    }
  };
}

/** Does what needs the database for a page outside of the API, as operations do: with breaker and deadline. */
export type Guarded = <T>(work: () => Promise<T>) => Promise<T>;

/** `work` is not called while the breaker is open. A failure of the database asks whether to open it. */
export function createGuard(breaker: Pick<Breaker, 'answers' | 'isOpen' | 'probe'>): Guarded {
  const withDeadline = createDeadline(breaker);
  return async (work) => {
    requireDatabase(breaker);
    try {
      return await withDeadline(work(), false);
    } catch (error) {
      if (isDatabaseDown(error) && !breaker.isOpen()) void breaker.probe();
      throw error;
    }
  };
}
