import { InspectorBusy } from './decode-pool.ts';
import type { PictureMemory } from '../ports/pictures.ts';

// Shortly before a deadline everyone confirms at once: 100 pictures of 20 MB, read first and queued afterwards, are 2 GB
// and as much again on their way to the decoder. Six of the largest fit, or a hundred of the usual size.
const ROOM_BYTES = 128 * 1024 * 1024;
// Who waits holds nothing but its request.
const MAX_WAITING = 1_000;

export function createPictureMemory({ roomBytes = ROOM_BYTES, maxWaiting = MAX_WAITING } = {}): PictureMemory {
  const waiting: { sizeBytes: number; start: () => void }[] = [];
  let freeBytes = roomBytes;

  function startFitting(): void {
    // In turn: a large picture is not overtaken for ever by small ones.
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
