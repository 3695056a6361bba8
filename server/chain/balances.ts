import type { Chain, Balances } from '../ports/chain.ts';
import type { Clock } from '../ports/clock.ts';

const FRESH_MS = 30_000;
const MAX_ENTRIES = 10_000;

type ShownBalance = Awaited<ReturnType<Balances['balance']>>;
type Entry = { balanceMicro: number | null; readAt: number; reading: Promise<ShownBalance> | null };

/** USDC balances for display: 30 s old at most while the chain answers, one request however many ask. */
export function createBalances(chain: Pick<Chain, 'balanceMicro'>, clock: Clock): Balances {
  const entries = new Map<string, Entry>();

  function read(address: string, entry: Entry): Promise<ShownBalance> {
    return chain.balanceMicro(address).then(
      (balanceMicro) => {
        // Dropped meanwhile: what was read may be from before the money moved, so it is shown but not kept.
        if (entries.get(address) === entry) {
          entry.balanceMicro = balanceMicro;
          entry.readAt = clock.now().getTime();
          entry.reading = null;
        }
        return { balanceMicro, stale: false };
      },
      () => {
        entry.reading = null;
        return { balanceMicro: entry.balanceMicro, stale: true };
      },
    );
  }

  return {
    async balance(address) {
      const known = entries.get(address);
      if (known?.reading) return await known.reading;
      if (known && clock.now().getTime() - known.readAt < FRESH_MS)
        return { balanceMicro: known.balanceMicro, stale: false };
      const entry = known ?? { balanceMicro: null, readAt: -Infinity, reading: null };
      if (!known) {
        evictOldest(entries);
        entries.set(address, entry);
      }
      entry.reading = read(address, entry);
      return await entry.reading;
    },
    drop(address) {
      const known = entries.get(address);
      if (!known) return;
      // The last figure stays for the case that the chain does not answer; it is never shown as fresh again.
      entries.set(address, { balanceMicro: known.balanceMicro, readAt: -Infinity, reading: null });
    },
  };
}

function evictOldest(entries: Map<string, Entry>): void {
  if (entries.size < MAX_ENTRIES) return;
  const oldest = entries.keys().next().value;
  if (oldest !== undefined) entries.delete(oldest);
}
