import type { Deps } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { endStanding } from './change-standing.ts';
import { lockEndedStandings } from './queries.ts';

const BATCH = 50;

/**
 * Writes down what has ended by itself. Nobody waits for it: who reads a standing compares its end with the clock. Any
 * number of processes share the work by row; after days of being switched off, or a step of the clock, it only asks what is
 * over by now.
 *
 * @returns how many were ended
 */
export async function endStandings(
  deps: Pick<Deps, 'db' | 'clock' | 'newId'>,
  stopping?: AbortSignal,
): Promise<number> {
  for (let total = 0; ;) {
    if (stopping?.aborted) return total;
    const count = await withTransaction(deps.db, async (tx) => {
      const now = deps.clock.now();
      const over = await lockEndedStandings(tx, { now, limit: BATCH });
      for (const standing of over) await endStanding(deps, tx, standing, now);
      return over.length;
    });
    total += count;
    if (count < BATCH) return total;
  }
}
