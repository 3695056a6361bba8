import type { Breaker } from '../../db/database.ts';
import { DatabaseDown, requireDatabase } from '../../db/public.ts';
import { isDatabaseDown, unavailable } from './errors.ts';

const TURN_MS = 250;
/** After each of these periods, 2.5 s, a request that still waits asks whether the database answers. */
const CHECK_TURNS = 10;
// 20 s: longer than statement_timeout (10 s) and connect_timeout (5 s), which end most waits with a better message.
const PLAIN_TURNS = 80;
// 60 s: a paid request may also wait 15 s for a settlement.
const LONG_TURNS = 240;

/**
 * Settles with the result of `work`. Rejects with a 503 when the time of the request is over, or with DatabaseDown when the
 * database does not answer. `work` goes on, and the sweeper finishes a payment that it started.
 */
export type WithDeadline = <T>(work: Promise<T>, long: boolean) => Promise<T>;

/** A request without an answer: how many turns it has waited, and the most that it may. */
type Waiting = { turns: number; most: number; fail: (error: unknown) => void };

/**
 * A database that accepts connections and then stays silent would otherwise hold a request for long. With a check after
 * 2.5 s and a probe of 2 s, a request without a database ends within 5 s. One timer serves all requests, because most of
 * them end before it fires.
 */
export function createDeadline(breaker: Pick<Breaker, 'answers'>): WithDeadline {
  const waiting = new Set<Waiting>();
  let timer: NodeJS.Timeout | null = null;
  const check = async (isOver: boolean, fail: Waiting['fail']) => {
    if (!(await breaker.answers())) fail(new DatabaseDown());
    else if (isOver) fail(unavailable('The request took too long. Try again.'));
  };
  const takeTurn = () => {
    for (const request of waiting) {
      request.turns += 1;
      if (request.turns % CHECK_TURNS === 0) void check(request.turns >= request.most, request.fail);
    }
    if (waiting.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
  return <T>(work: Promise<T>, long: boolean) => {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const fail = (error: unknown) => {
      waiting.delete(request);
      reject(error);
    };
    const request: Waiting = { turns: 0, most: long ? LONG_TURNS : PLAIN_TURNS, fail };
    waiting.add(request);
    timer ??= setInterval(takeTurn, TURN_MS).unref();
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
