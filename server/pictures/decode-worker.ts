import { parentPort, workerData } from 'node:worker_threads';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import type { PictureAnswer } from './decode-thread.ts';

/** What every script of a decoding thread begins with (decode-thread.ts): it runs there and nowhere else, after decoders.ts. */

// Nothing of a picture is kept for the next one. Of the process too, and said by each thread: loading sharp turns it on.
sharp.cache(false);
sharp.concurrency(1);

const { timeoutMs } = workerData as { timeoutMs: number };

/** As sharp counts a step's time: whole seconds. */
export const stepSeconds = Math.max(1, Math.ceil(timeoutMs / 1000));

/** A still picture of the accepted size, and nothing of it decoded yet; a damaged part fails it. */
export function openPicture(bytes: Uint8Array): Sharp {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return sharp(buffer, { failOn: 'error', limitInputPixels: 2048 * 2048, sequentialRead: true });
}

/** Whether the decoder finds in the header what was found there without it. */
export async function isAsDescribed(
  bytes: Uint8Array,
  { format, width, height }: { format: string; width: number; height: number },
): Promise<boolean> {
  const header = await openPicture(bytes).metadata();
  return header.format === format && header.width === width && header.height === height && (header.pages ?? 1) === 1;
}

/** Answers each job; `ok: false` for whatever goes wrong with its picture. */
export function answerJobs(work: (job: never) => Promise<{ answer: PictureAnswer; handOver: ArrayBuffer[] }>): void {
  const port = parentPort;
  if (!port) throw new Error('a decoding script runs in a worker thread');
  port.on('message', (job) => {
    // The pool that runs this script sends jobs of its kind alone.
    work(job as never).then(
      ({ answer, handOver }) => port.postMessage(answer, handOver),
      // What libvips says of a broken file is of no use to its author, and may tell of our insides.
      () => port.postMessage({ ok: false }, []),
    );
  });
  port.postMessage('ready', []);
}
