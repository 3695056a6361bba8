import type { Chain, Balances } from './types.ts';
import type { Clock } from '../clock.ts';

const FRESH_MS = 30_000;
// A profile does not wait longer for the chain. It then shows the last known balance.
const WAIT_MS = 1_000;
const MAX_ENTRIES = 10_000;

type ShownBalance = Awaited<ReturnType<Balances['balance']>>;
type CachedBalance = {
  balanceMicro: number | null;
  readAt: number;
  reading: Promise<ShownBalance> | null;
  /** The current reading has taken longer than a profile waits. */
  late: boolean;
};

/**
 * Caches USDC balances for display. A balance is at most 30 s old while the chain responds. Concurrent readers of one
 * address share one request. While the chain hangs, the first reader waits 1 s, and later ones get the last known balance
 * at once.
 */
export function createBalances(chain: Pick<Chain, 'balanceMicro'>, clock: Clock): Balances {
  const cache = new Map<string, CachedBalance>();

  function read(address: string, cached: CachedBalance): Promise<ShownBalance> {
    return chain.balanceMicro(address).then(
      (balanceMicro) => {
        // If the balance was dropped during the read, this value can be older than the transfer. Return it, but do not
        // cache it.
        if (cache.get(address) === cached) {
          cached.balanceMicro = balanceMicro;
          cached.readAt = clock.now().getTime();
          cached.reading = null;
          cached.late = false;
        }
        return { balanceMicro, stale: false };
      },
      () => {
        cached.reading = null;
        cached.late = false;
        return { balanceMicro: cached.balanceMicro, stale: true };
      },
    );
  }

  return {
    async balance(address) {
      const known = cache.get(address);
      if (known?.reading) return await inTime(known.reading, known);
      if (known && clock.now().getTime() - known.readAt < FRESH_MS)
        return { balanceMicro: known.balanceMicro, stale: false };
      const cached = known ?? { balanceMicro: null, readAt: -Infinity, reading: null, late: false };
      if (!known) {
        evictOldest(cache);
        cache.set(address, cached);
      }
      cached.reading = read(address, cached);
      return await inTime(cached.reading, cached);
    },
    drop(address) {
      const known = cache.get(address);
      if (!known) return;
      // Keep the last value for the case that the chain does not respond. It is then returned as stale, never as fresh.
      cache.set(address, { balanceMicro: known.balanceMicro, readAt: -Infinity, reading: null, late: false });
    },
  };
}

/** Waits at most 1 s for the reading, over all its readers. The reading goes on and serves later readers. */
async function inTime(reading: Promise<ShownBalance>, cached: CachedBalance): Promise<ShownBalance> {
  const stale = { balanceMicro: cached.balanceMicro, stale: true };
  if (cached.late) return stale;
  const { promise: late, resolve } = Promise.withResolvers<ShownBalance>();
  const timer = setTimeout(() => {
    cached.late = true;
    resolve(stale);
  }, WAIT_MS);
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}

function evictOldest(cache: Map<string, CachedBalance>): void {
  if (cache.size < MAX_ENTRIES) return;
  const oldest = cache.keys().next().value;
  if (oldest !== undefined) cache.delete(oldest);
}
