import { InspectorBusy } from './decode-pool.ts';
import type { PictureMemory } from './types.ts';

// A waiting caller holds only its request in memory.
const MAX_WAITING = 1_000;

/** Creates a limit on the memory of pictures that are sent. */
export function createPictureMemory({
  roomBytes,
  maxWaiting = MAX_WAITING,
}: {
  roomBytes: number;
  maxWaiting?: number;
}): PictureMemory {
  const waiting: { sizeBytes: number; start: () => void }[] = [];
  let freeBytes = roomBytes;

  function startFitting(): void {
    // In order of arrival, so that small pictures do not overtake a large one forever.
    for (let next = waiting[0]; next && next.sizeBytes <= freeBytes; next = waiting[0]) {
      waiting.shift();
      freeBytes -= next.sizeBytes;
      next.start();
    }
  }

  return {
    async hold(sizeBytes, work) {
      if (waiting.length >= maxWaiting) throw new InspectorBusy();
      const { promise, resolve: start } = Promise.withResolvers<void>();
      waiting.push({ sizeBytes, start });
      startFitting();
      await promise;
      try {
        return await work();
      } finally {
        freeBytes += sizeBytes;
        startFitting();
      }
    },
  };
}
