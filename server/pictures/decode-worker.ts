import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import type { PictureAnswer } from './decode-thread.ts';

/** The common part of all decoding scripts. It runs only in a thread of decode-thread.ts, after decoders.ts. */

// No thread keeps data of a picture for the next one. The settings hold for the whole process, but every thread sets
// them again, because loading sharp resets them.
sharp.cache(false);
sharp.concurrency(1);

const { timeoutMs } = workerData as { timeoutMs: number };

/** The time limit of one sharp pipeline, which sharp takes in whole seconds. */
export const stepSeconds = Math.max(1, Math.ceil(timeoutMs / 1000));

/** Opens a still picture of an accepted size without decoding it. Decoding fails at a damaged part. */
export function openPicture(bytes: Uint8Array): Sharp {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return sharp(buffer, { failOn: 'error', limitInputPixels: 2048 * 2048, sequentialRead: true });
}

/** Returns whether the decoder reads the same header as image-header.ts. */
export async function isAsDescribed(
  bytes: Uint8Array,
  { format, width, height }: { format: string; width: number; height: number },
): Promise<boolean> {
  const header = await openPicture(bytes).metadata();
  return header.format === format && header.width === width && header.height === height && (header.pages ?? 1) === 1;
}

/** Answers each job. Any failure with its picture is `ok: false`. */
export function answerJobs(work: (job: never) => Promise<{ answer: PictureAnswer; handOver: ArrayBuffer[] }>): void {
  const port = parentPort;
  if (!port) throw new Error('a decoding script runs in a worker thread');
  port.on('message', (job) => {
    // The pool sends only jobs of the kind that its script expects.
    work(job as never).then(
      ({ answer, handOver }) => port.postMessage(answer, handOver),
      // The messages of libvips do not help the author of a broken file, and may reveal internals of the service.
      () => port.postMessage({ ok: false }, []),
    );
  });
  port.postMessage('ready', []);
}
