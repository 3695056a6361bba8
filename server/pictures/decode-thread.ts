import { Worker } from 'node:worker_threads';
import { restrictDecoders } from './decoders.ts';

/** What a thread is given: the whole file, and whatever else its script needs to know. */
export type PictureJob = { bytes: Uint8Array };

export type PictureAnswer = { ok: false } | ({ ok: true } & Record<string, unknown>);

/** `timeout` and `crash` are the thread's end, and speak of the picture that it had. */
export type Outcome<Answer> = Answer | 'timeout' | 'crash';

export type DecodeThread<Job, Answer> = {
  /** One at a time. Throws only where no thread can be started: a fault of ours, not of the picture. */
  decode(job: Job): Promise<Outcome<Answer>>;
  close(): Promise<void>;
};

/**
 * A thread that decodes, by a script made with decode-worker.ts. It starts with its first picture; after one that it
 * hung or died on, anew with the next.
 */
export function createDecodeThread<Job extends PictureJob, Answer extends PictureAnswer>(
  timeoutMs: number,
  script: URL,
): DecodeThread<Job, Answer> {
  let worker: Worker | null = null;

  async function start(): Promise<Worker> {
    await restrictDecoders();
    const started = new Worker(script, {
      workerData: { timeoutMs },
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 },
    });
    await ready(started);
    // An error ends the thread: `exit` tells of it.
    started.on('error', () => undefined);
    started.on('exit', () => {
      if (worker === started) worker = null;
    });
    return started;
  }

  async function decode(job: Job): Promise<Outcome<Answer>> {
    const current = (worker ??= await start());
    const { promise, resolve } = Promise.withResolvers<Outcome<Answer>>();
    const died = () => resolve('crash');
    const timer = setTimeout(resolve, timeoutMs, 'timeout');
    // Only a thread at work keeps the process alive.
    current.ref();
    current.on('message', resolve);
    current.on('exit', died);
    // The caller keeps its buffer; the thread is handed a copy of its own, not made to copy it again.
    const bytes = new Uint8Array(job.bytes);
    current.postMessage({ ...job, bytes }, [bytes.buffer]);
    const outcome = await promise;
    clearTimeout(timer);
    current.off('message', resolve);
    current.off('exit', died);
    current.unref();
    if (typeof outcome === 'string') {
      if (worker === current) worker = null;
      // Native code is not interrupted: it ends by the time limit that the worker gave it.
      current.terminate().catch(() => undefined);
    }
    return outcome;
  }

  async function close(): Promise<void> {
    await worker?.terminate();
  }

  return { decode, close };
}

/** Its first message says so; rejects with what it threw instead. */
function ready(worker: Worker): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.once('message', () => resolve());
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the picture decoder did not start')));
  return promise;
}
