import { createDecodePool } from './decode-pool.ts';
import { createFairQueue } from './fair-queue.ts';
import { createImageInspector, type InspectAnswer, type InspectJob } from './inspect-image.ts';
import { type CopyAnswer, type CopyJob, createCopyRenderer } from './public-copies-renderer.ts';
import type { CopyRenderer, FairQueue, ImageInspector } from './types.ts';

export type Decoders = {
  inspectImage: ImageInspector;
  renderCopies: CopyRenderer;
  /** A caller that reads a picture from storage and decodes it waits for a turn here first. It holds no bytes until then. */
  pictureTurns: FairQueue;
  close(): Promise<void>;
};

const WORKERS = 3;
// Two pictures are stored while others are decoded. The bytes of the largest take 100 MB together.
const UNFINISHED = WORKERS + 2;
// Nobody has every decoder at once.
const TURNS_OF_ONE = WORKERS - 1;
const MAX_WAITING = 10_000;
const script = new URL('./picture-worker.ts', import.meta.url);

/** Creates the processes that decode. They have a lower priority than the requests of the service. */
export function createPicturePool({ workers = WORKERS, memoryMb = 256 } = {}) {
  const limits = { memoryMb, niceness: 5, stalledMs: 60_000 };
  return createDecodePool<InspectJob | CopyJob, InspectAnswer | CopyAnswer>(script, {
    workers,
    queue: 1000,
    ...limits,
  });
}

/** Creates the decoders of one process of the service: one pool, and one queue in which agents and the copies take turns. */
export function createDecoders(): Decoders {
  const pool = createPicturePool();
  return {
    inspectImage: createImageInspector(pool),
    renderCopies: createCopyRenderer(pool),
    pictureTurns: createPictureTurns(),
    close: pool.close,
  };
}

/** As many turns as decoders, so that no picture waits for a decoder before an agent whose turn comes first. */
export function createPictureTurns(): FairQueue {
  const bounds = { unfinished: UNFINISHED, turnsOfAgent: TURNS_OF_ONE, maxWaiting: MAX_WAITING };
  return createFairQueue({ turns: WORKERS, ...bounds });
}
