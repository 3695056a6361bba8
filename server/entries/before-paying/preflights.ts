import { createFairQueue, InspectorBusy } from '../../pictures/public.ts';
import type { Preflights } from '../../ports/preflights.ts';

// One picture is decoded while others arrive. The bytes of the largest take 60 MB together.
const TURNS = 3;
// A waiting request holds no bytes of its picture.
const MAX_WAITING = 100;
const WAIT_MS = 5_000;

/**
 * Creates the preflights of one process. They have turns, memory, and a decoder of their own, so that a flood of them
 * delays no confirmation. A turn covers the arrival of the picture too, because its bytes take memory from then on.
 */
export function createPreflights(): Preflights {
  const turns = createFairQueue({ turns: TURNS, turnsOfAgent: 1, maxWaiting: MAX_WAITING });
  const times = { waitMs: WAIT_MS };

  return {
    times,
    async run(agentId, work) {
      const { promise: late, reject } = Promise.withResolvers<never>();
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        reject(new InspectorBusy());
      }, times.waitMs);
      const inTurn = turns.run(agentId, async () => {
        // The request has been answered, so its turn passes to the next one at once.
        if (isLate) throw new InspectorBusy();
        clearTimeout(timer);
        return await work();
      });
      try {
        return await Promise.race([inTurn, late]);
      } finally {
        clearTimeout(timer);
      }
    },
    stop: () => turns.close(),
  };
}
