import { Worker } from 'node:worker_threads';
import { restrictDecoders } from './decoders.ts';

/** The input of a thread: the whole file, and what its script needs besides. */
export type PictureJob = { bytes: Uint8Array };

export type PictureAnswer = { ok: false } | ({ ok: true } & Record<string, unknown>);

/** `timeout` and `crash` end the thread, and the picture that it worked on is the cause. */
export type Outcome<Answer> = Answer | 'timeout' | 'crash';

export type DecodeThread<Job, Answer> = {
  /** Decodes one picture at a time. Throws only when no thread can start, which is a fault of the service. */
  decode(job: Job): Promise<Outcome<Answer>>;
  close(): Promise<void>;
};

/**
 * Creates a thread that runs a script made with decode-worker.ts. The thread starts at its first picture. After a
 * picture that hangs or crashes it, a new thread starts at the next picture.
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
    // An error ends the thread, and `exit` reports that. Without a listener, the error would end the process.
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
    // A thread keeps the process alive only while it works.
    current.ref();
    current.on('message', resolve);
    current.on('exit', died);
    // The caller keeps its buffer. The copy is transferred to the thread, so it is not copied a second time.
    const bytes = new Uint8Array(job.bytes);
    current.postMessage({ ...job, bytes }, [bytes.buffer]);
    const outcome = await promise;
    clearTimeout(timer);
    current.off('message', resolve);
    current.off('exit', died);
    current.unref();
    if (typeof outcome === 'string') {
      if (worker === current) worker = null;
      // `terminate` does not interrupt native code, which ends at the time limit that the worker set.
      current.terminate().catch(() => undefined);
    }
    return outcome;
  }

  async function close(): Promise<void> {
    await worker?.terminate();
  }

  return { decode, close };
}

/** Resolves at the worker's first message. Rejects with the error that the worker threw at its start. */
function ready(worker: Worker): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.once('message', () => resolve());
  worker.once('error', reject);
  worker.once('exit', () => reject(new Error('the picture decoder did not start')));
  return promise;
}
