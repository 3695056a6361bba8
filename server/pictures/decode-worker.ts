import { existsSync, readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import sharp from 'sharp';
import type { Sharp } from 'sharp';
import type { DecoderMessage, PictureAnswer, PictureJob, PictureLimits } from './decode-process.ts';

/** The common part of all decoding scripts. It runs only in a process of decode-process.ts. */

// All loaders are blocked except three, so that no other file reaches a parser.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'] });
// Nothing of a picture is kept for the next one, and a picture uses one processor.
sharp.cache(false);
sharp.concurrency(1);

const limits = JSON.parse(process.argv[2] ?? '{}') as PictureLimits;
const LOOK_EVERY_MS = 50;

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

/** Answers each job, as `read` types it. Any failure with its picture is `ok: false`. */
export function answerJobs<Job extends PictureJob>(
  read: (message: unknown) => Job,
  work: (job: Job) => Promise<PictureAnswer>,
): void {
  giveWay(limits.niceness);
  // A terminal and many supervisors signal all processes. The service ends its decoders itself.
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  process.on('message', (message) => {
    const job = read(message);
    const guard = watchLimits(job.cpuMs);
    // The pool sends only jobs of the kind that its script expects.
    void work(job)
      // The messages of libvips do not help the author of a broken file, and may reveal internals of the service.
      .catch((): PictureAnswer => ({ ok: false }))
      .then((answer) => send({ answer }))
      .finally(() => clearInterval(guard));
  });
  send({ ready: true });
}

const THREADS = '/proc/self/task';

/**
 * Lowers the priority of this process. On Linux, each thread has its own, and those that decode exist already. Threads
 * that start later take it from them.
 */
function giveWay(niceness: number): void {
  const threads = existsSync(THREADS) ? readdirSync(THREADS).map(Number) : [process.pid];
  for (const thread of threads)
    try {
      setPriority(thread, niceness);
    } catch {
      // A thread may have ended, and not every system allows it. Decoding works without.
    }
}

/**
 * Reports a picture that exceeds a limit. The service then kills this process, because native code cannot be stopped
 * in another way. libvips decodes in threads of its own, so this timer runs meanwhile.
 */
function watchLimits(cpuMs: number): NodeJS.Timeout {
  const before = process.cpuUsage();
  const memoryBefore = process.memoryUsage.rss();
  return setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    if (user + system > cpuMs * 1_000) send({ over: 'cpu' });
    else if (process.memoryUsage.rss() - memoryBefore > limits.memoryMb * 1024 * 1024) send({ over: 'memory' });
  }, LOOK_EVERY_MS);
}

function send(message: DecoderMessage): void {
  process.send?.(message);
}
