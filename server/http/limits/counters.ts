import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import {
  LimitExceeded,
  type LimitKey,
  type Limits,
  type LimitState,
  type LimitTable,
  type Reservation,
} from './limits.ts';

export type CounterName = LimitKey | 'openPayments';

export type OpenCounter = (name: CounterName, window: { points: number; duration: number }) => RateLimiterAbstract;

// As long as a paid request may take.
const OPEN_SECONDS = 60;

/** Counts in this process's memory. */
export function createMemoryLimits(table: LimitTable): Limits {
  return createLimits(table, (_name, window) => new RateLimiterMemory(window));
}

/**
 * Counts each limit in a counter of its own, and the open payments in one more. A payment opens only when all open ones
 * may fail within the limit. So concurrent payments fail no more often than successive ones.
 */
export function createLimits(table: LimitTable, open: OpenCounter): Limits {
  const names = Object.keys(table) as LimitKey[];
  const counters = Object.fromEntries(
    names.map((name) => [name, open(name, { points: table[name].points, duration: table[name].seconds })]),
  ) as Record<LimitKey, RateLimiterAbstract>;
  const openPayments = countOpenPayments(open);

  function stateOf(name: LimitKey, found: RateLimiterRes | null): LimitState {
    const { points, seconds } = table[name];
    const leftMs = found === null || found.msBeforeNext <= 0 ? seconds * 1000 : found.msBeforeNext;
    return {
      name,
      limit: points,
      remaining: Math.min(points, Math.max(0, points - (found?.consumedPoints ?? 0))),
      windowSeconds: seconds,
      resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
      resetAt: Math.ceil((libraryNow() + leftMs) / 1000),
    };
  }

  const isRefused = (name: LimitKey, { consumedPoints }: RateLimiterRes) => consumedPoints > table[name].points;
  const read = async (name: LimitKey, key: string) => stateOf(name, await counters[name].get(key));

  return {
    async take(taken, key, code, states) {
      for (const name of taken) {
        const counted = await counters[name].consume(key).catch(countOf);
        const state = stateOf(name, counted);
        if (isRefused(name, counted)) throw new LimitExceeded(code, table[name].title, state);
        states.push(state);
      }
    },
    async peek(read_, key, states) {
      for (const name of read_) states.push(await read(name, key));
    },
    async reserve(key, code, states) {
      const { count, close } = await openPayments(key);
      // Read after the open payments: one that fails meanwhile is in at least one of the counts.
      const state = await read('failedPayments', key);
      if (count <= state.remaining) {
        states.push(state);
        return reservationOf(counters.failedPayments, key, close);
      }
      await close();
      if (state.remaining === 0) throw new LimitExceeded(code, table.failedPayments.title, state);
      return 'busy';
    },
    close() {},
  };
}

/** A payment whose request has not ended. `count` is the number of its caller's open payments, with this one. */
type OpenPayment = { count: number; close(): Promise<unknown> };

/**
 * Returns the function that counts a payment as open. A payment counts in the minute in which it opens. The count adds
 * up this minute and the one before it, and the next one, because the clocks of processes differ. So a payment that a killed
 * process leaves open counts for two minutes at most.
 */
function countOpenPayments(open: OpenCounter): (key: string) => Promise<OpenPayment> {
  // Only added to and read, so its points refuse nothing.
  const counter = open('openPayments', { points: 1, duration: 3 * OPEN_SECONDS });
  return async (key) => {
    const minute = Math.floor(libraryNow() / (OPEN_SECONDS * 1000));
    const place = `${key} ${minute}`;
    const { consumedPoints } = await counter.penalty(place);
    const near = await Promise.all([minute - 1, minute + 1].map((other) => counter.get(`${key} ${other}`)));
    const count = near.reduce((sum, found) => sum + (found?.consumedPoints ?? 0), consumedPoints);
    return { count, close: () => counter.reward(place) };
  };
}

function reservationOf(failures: RateLimiterAbstract, key: string, close: OpenPayment['close']): Reservation {
  let ended = false;
  return {
    async end(failed) {
      if (ended) return;
      ended = true;
      // The failure is counted first: in between, the payment counts twice and not zero times.
      if (failed) await failures.penalty(key);
      await close();
    },
  };
}

/** The library counts by the clock of this machine. */
function libraryNow(): number {
  // oxlint-disable-next-line no-restricted-properties -- windows end by the same clock by which they begin
  return Date.now();
}

/** Returns what the library rejects with when a limit is used up: the count. Throws any other error. */
function countOf(refusal: unknown): RateLimiterRes {
  if (refusal instanceof RateLimiterRes) return refusal;
  throw refusal;
}
