import { InspectorBusy } from './decode-pool.ts';
import type { PictureMemory } from '../ports/pictures.ts';

// Many copies may be asked for at once. Without a limit, 100 pictures of 20 MB in memory would take 2 GB, and as much
// again for the decoder. Three of the largest pictures fit, or fifty of the usual size. Inspections have their own limit
// (entries/confirmation/inspections.ts), so that visitors do not delay confirmations.
const ROOM_BYTES = 64 * 1024 * 1024;
// A waiting caller holds only its request in memory.
const MAX_WAITING = 1_000;

/** Creates the limit on the memory of pictures that are rendered in this process. */
export function createPictureMemory({ roomBytes = ROOM_BYTES, maxWaiting = MAX_WAITING } = {}): PictureMemory {
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
