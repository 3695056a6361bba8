import type { Chain, Balances } from '../ports/chain.ts';
import type { Clock } from '../ports/clock.ts';

const FRESH_MS = 30_000;
const MAX_ENTRIES = 10_000;

type ShownBalance = Awaited<ReturnType<Balances['balance']>>;
type CachedBalance = { balanceMicro: number | null; readAt: number; reading: Promise<ShownBalance> | null };

/**
 * Caches USDC balances for display. A balance is at most 30 s old while the chain responds. Concurrent readers of one
 * address share one request.
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
        }
        return { balanceMicro, stale: false };
      },
      () => {
        cached.reading = null;
        return { balanceMicro: cached.balanceMicro, stale: true };
      },
    );
  }

  return {
    async balance(address) {
      const known = cache.get(address);
      if (known?.reading) return await known.reading;
      if (known && clock.now().getTime() - known.readAt < FRESH_MS)
        return { balanceMicro: known.balanceMicro, stale: false };
      const cached = known ?? { balanceMicro: null, readAt: -Infinity, reading: null };
      if (!known) {
        evictOldest(cache);
        cache.set(address, cached);
      }
      cached.reading = read(address, cached);
      return await cached.reading;
    },
    drop(address) {
      const known = cache.get(address);
      if (!known) return;
      // Keep the last value for the case that the chain does not respond. It is then returned as stale, never as fresh.
      cache.set(address, { balanceMicro: known.balanceMicro, readAt: -Infinity, reading: null });
    },
  };
}

function evictOldest(cache: Map<string, CachedBalance>): void {
  if (cache.size < MAX_ENTRIES) return;
  const oldest = cache.keys().next().value;
  if (oldest !== undefined) cache.delete(oldest);
}
