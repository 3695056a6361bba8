import type { Deps } from '../../deps.ts';
import { withTransaction } from '../../db/public.ts';
import { endStanding } from './change-standing.ts';
import { lockEndedStandings } from './queries.ts';

const BATCH = 50;

/**
 * Sets agents whose restriction has expired back to active, and writes the audit entries. No reader depends on this
 * job, because every reader compares the end with the clock.
 *
 * Any number of processes share the work row by row. The query only asks which restrictions have expired by now, so a
 * long downtime or a clock change does no harm.
 *
 * @returns how many restrictions were ended
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
