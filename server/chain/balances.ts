import { createKept } from '../kept.ts';
import type { Chain, Balances } from './types.ts';
import type { Clock } from '../clock.ts';

const FRESH_MS = 30_000;
// A profile does not wait longer for the chain. It then shows the last known balance.
const WAIT_MS = 1_000;
const MAX_ENTRIES = 10_000;

/**
 * Caches USDC balances for display. A balance is at most 30 s old while the chain responds. Concurrent readers of one
 * address share one request. While the chain hangs, the first reader waits 1 s, and later ones get the last known balance
 * at once.
 */
export function createBalances(chain: Pick<Chain, 'balanceMicro'>, clock: Clock): Balances {
  const kept = createKept<number>({ lifeMs: FRESH_MS, most: MAX_ENTRIES });
  // The last balance of each address, of any age: readers see it as stale, never as fresh.
  const last = new Map<string, number>();
  // The addresses whose reading takes longer than a profile waits.
  const late = new Set<string>();

  async function read(address: string): Promise<number> {
    const balanceMicro = await chain.balanceMicro(address).finally(() => late.delete(address));
    if (last.size >= MAX_ENTRIES) last.clear();
    last.set(address, balanceMicro);
    return balanceMicro;
  }

  return {
    async balance(address) {
      const reading = kept.get(last, { key: address, now: clock.now() }, () => read(address));
      const stale = () => ({ balanceMicro: last.get(address) ?? null, stale: true });
      if (late.has(address)) return stale();
      const { promise: over, resolve } = Promise.withResolvers<null>();
      const timer = setTimeout(() => {
        late.add(address);
        resolve(null);
      }, WAIT_MS);
      const balanceMicro = await Promise.race([reading, over]).catch(() => null);
      clearTimeout(timer);
      return balanceMicro === null ? stale() : { balanceMicro, stale: false };
    },
    drop: (address) => kept.forget(last, address),
  };
}
