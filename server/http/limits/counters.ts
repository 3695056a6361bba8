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
        const { counted, refused } = await consume(counters[name], key);
        const state = stateOf(name, key, counted);
        if (refused) throw new LimitExceeded(code, table[name].title, state);
        states.push(state);
      }
    },
    async peek(read_, key, states) {
      for (const name of read_) states.push(await read(name, key));
    },
    async reserve(key, code, states) {
      const before = await read('failedPayments', key);
      if (before.remaining === 0) throw new LimitExceeded(code, table.failedPayments.title, before);
      const { counted, refused } = await consume(counters.failedPayments, key);
      if (refused) {
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

/** Counts one request. The library rejects with its count when the limit is used up, and with an error of the store. */
async function consume(
  counter: RateLimiterAbstract,
  key: string,
): Promise<{ counted: RateLimiterRes; refused: boolean }> {
  try {
    return { counted: await counter.consume(key), refused: false };
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return { counted: refusal, refused: true };
    throw refusal;
  }
}
