import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import {
  LimitExceeded,
  type LimitKey,
  type Limits,
  type LimitState,
  type LimitTable,
  type Reservation,
} from './limits.ts';

/** Opens the counter of one limit. */
export type OpenCounter = (name: LimitKey, window: { points: number; duration: number }) => RateLimiterAbstract;

/** Counts in this process's memory. */
export function createMemoryLimits(table: LimitTable): Limits {
  return createLimits(table, (_name, window) => new RateLimiterMemory(window));
}

/**
 * Counts each limit in a counter of its own. A payment takes one of the failed payments before it settles, and gives it
 * back unless it fails. So concurrent payments fail no more often than successive ones.
 */
export function createLimits(table: LimitTable, open: OpenCounter): Limits {
  const names = Object.keys(table) as LimitKey[];
  const counters = Object.fromEntries(
    names.map((name) => [name, open(name, { points: table[name].points, duration: table[name].seconds })]),
  ) as Record<LimitKey, RateLimiterAbstract>;
  // The payments of each caller that this process is settling. They have not failed, so no answer reports them.
  const held = new Map<string, number>();

  function stateOf(name: LimitKey, key: string, found: RateLimiterRes | null): LimitState {
    const { points, seconds } = table[name];
    const leftMs = found === null || found.msBeforeNext <= 0 ? seconds * 1000 : found.msBeforeNext;
    const taken = (found?.consumedPoints ?? 0) - (name === 'failedPayments' ? (held.get(key) ?? 0) : 0);
    return {
      name,
      limit: points,
      remaining: Math.min(points, Math.max(0, points - taken)),
      windowSeconds: seconds,
      resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
      resetAt: Math.ceil((libraryNow() + leftMs) / 1000),
    };
  }

  const isRefused = (name: LimitKey, { consumedPoints }: RateLimiterRes) => consumedPoints > table[name].points;
  const read = async (name: LimitKey, key: string) => stateOf(name, key, await counters[name].get(key));

  function hold(key: string, endsAt: number): Reservation {
    held.set(key, (held.get(key) ?? 0) + 1);
    let ended = false;
    return {
      async end(failed) {
        if (ended) return;
        ended = true;
        const left = (held.get(key) ?? 1) - 1;
        if (left > 0) held.set(key, left);
        else held.delete(key);
        // What was taken in a window that is over is no longer counted.
        if (!failed && libraryNow() < endsAt) await counters.failedPayments.reward(key);
      },
    };
  }

  return {
    async take(taken, key, code, states) {
      for (const name of taken) {
        const counted = await counters[name].consume(key).catch(countOf);
        const state = stateOf(name, key, counted);
        if (isRefused(name, counted)) throw new LimitExceeded(code, table[name].title, state);
        states.push(state);
      }
    },
    async peek(read_, key, states) {
      for (const name of read_) states.push(await read(name, key));
    },
    async reserve(key, code, states) {
      const before = await read('failedPayments', key);
      if (before.remaining === 0) throw new LimitExceeded(code, table.failedPayments.title, before);
      const counted = await counters.failedPayments.consume(key).catch(countOf);
      if (isRefused('failedPayments', counted)) {
        await counters.failedPayments.reward(key);
        return 'busy';
      }
      const reservation = hold(key, libraryNow() + counted.msBeforeNext);
      states.push(stateOf('failedPayments', key, counted));
      return reservation;
    },
    close() {},
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
