import type { Breaker } from '../../db/database.ts';
import { DatabaseDown, requireDatabase } from '../../db/public.ts';
import { isDatabaseDown, unavailable } from './errors.ts';

/** After each of these periods, a request that still waits asks whether the database answers. */
const CHECK_MS = 2_500;
/** How often the waiting requests are looked at. */
const LOOK_MS = 250;
// Longer than statement_timeout (10 s) and connect_timeout (5 s), which end most waits with a better message.
const PLAIN_MS = 20_000;
// A paid request may also wait 15 s for a settlement.
const LONG_MS = 60_000;

/**
 * Settles with the result of `work`. Rejects with a 503 when the time of the request is over, or with DatabaseDown when the
 * database does not answer. `work` goes on, and the sweeper finishes a payment that it started.
 */
export type WithDeadline = <T>(work: Promise<T>, long: boolean) => Promise<T>;

/** A request without an answer. Its times are those of the clock of `createDeadline`. */
type Waiting = { checkAt: number; endAt: number; fail: (error: unknown) => void };

/**
 * A database that accepts connections and then stays silent would otherwise hold a request for long. With a check after
 * 2.5 s and a probe of 2 s, a request without a database ends within 5 s. One timer serves all requests, because most of
 * them end before it fires.
 */
export function createDeadline(breaker: Pick<Breaker, 'answers'>, nowMs = () => performance.now()): WithDeadline {
  const waiting = new Set<Waiting>();
  const check = async (isOver: boolean, fail: Waiting['fail']) => {
    if (!(await breaker.answers())) fail(new DatabaseDown());
    else if (isOver) fail(unavailable('The request took too long. Try again.'));
  };
  const look = () => {
    const now = nowMs();
    for (const request of waiting) {
      if (now < request.checkAt) continue;
      const isOver = now >= request.endAt;
      request.checkAt = isOver ? now + CHECK_MS : Math.min(now + CHECK_MS, request.endAt);
      void check(isOver, request.fail);
    }
  };
  setInterval(look, LOOK_MS).unref();
  return <T>(work: Promise<T>, long: boolean) => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const now = nowMs();
    const fail = (error: unknown) => {
      waiting.delete(request);
      reject(error);
    };
    const request: Waiting = { checkAt: now + CHECK_MS, endAt: now + (long ? LONG_MS : PLAIN_MS), fail };
    waiting.add(request);
    work.then((result) => {
      waiting.delete(request);
      return resolve(result);
    }, fail);
    return promise;
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
