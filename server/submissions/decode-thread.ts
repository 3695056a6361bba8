import { Worker } from 'node:worker_threads';

export type DecodeJob = { bytes: Uint8Array; format: string; width: number; height: number };

export type DecodeAnswer =
  | { ok: false }
  | { ok: true; width: number; height: number; sha256: Uint8Array; perceptualHash: bigint };

export type DecodeOutcome = DecodeAnswer | 'timeout' | 'crash';

export type DecodeThread = {
  /** One at a time. Throws only where no thread can be started: a fault of ours, not of the picture. */
  decode(job: DecodeJob): Promise<DecodeOutcome>;
  close(): Promise<void>;
};

const decoder = new URL('./inspect-image-worker.ts', import.meta.url);

/** A thread that decodes. It starts with its first picture; after one that it hung or died on, anew with the next. */
export function createDecodeThread(timeoutMs: number, script: URL = decoder): DecodeThread {
  let worker: Worker | null = null;

  async function start(): Promise<Worker> {
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

  async function decode(job: DecodeJob): Promise<DecodeOutcome> {
    const current = (worker ??= await start());
    const { promise, resolve } = Promise.withResolvers<DecodeOutcome>();
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
