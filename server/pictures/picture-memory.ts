import { InspectorBusy } from './decode-pool.ts';
import type { PictureMemory } from '../ports/pictures.ts';

// Many agents confirm shortly before a deadline. Without a limit, 100 pictures of 20 MB in memory would take 2 GB, and
// as much again for the decoder. Six of the largest pictures fit, or a hundred of the usual size.
const ROOM_BYTES = 128 * 1024 * 1024;
// A waiting caller holds only its request in memory.
const MAX_WAITING = 1_000;

/** Creates the limit on the memory of pictures in this process. */
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
