import { createDecodeThread } from './decode-thread.ts';
import type { DecodeThread, Outcome, PictureAnswer, PictureJob } from './decode-thread.ts';

export type DecodePoolOptions = { workers: number; queue: number; timeoutMs: number };

/** The pool refused the picture, because too many wait or the process shuts down. Try again later. */
export class InspectorBusy extends Error {
  constructor() {
    super('too many pictures are being worked on');
    this.name = 'InspectorBusy';
  }
}

export type DecodePool<Job, Answer> = {
  decode(job: Job): Promise<Outcome<Answer>>;
  close(): Promise<void>;
};

/** Creates a fixed number of threads that run one script, behind a queue of bounded length. */
export function createDecodePool<Job extends PictureJob, Answer extends PictureAnswer>(
  script: URL,
  { workers, queue, timeoutMs }: DecodePoolOptions,
): DecodePool<Job, Answer> {
  const threads = Array.from({ length: workers }, () => createDecodeThread<Job, Answer>(timeoutMs, script));
  const idle = [...threads];
  const waiting: { resolve: (thread: DecodeThread<Job, Answer>) => void; reject: (error: Error) => void }[] = [];
  let closed = false;

  async function decode(job: Job): Promise<Outcome<Answer>> {
    const thread = await take();
    try {
      const outcome = await thread.decode(job);
      // `close` ended the thread, so its end says nothing about the picture.
      if (closed && typeof outcome === 'string') throw new InspectorBusy();
      return outcome;
    } finally {
      const next = waiting.shift();
      if (next) next.resolve(thread);
      else idle.push(thread);
    }
  }

  async function take(): Promise<DecodeThread<Job, Answer>> {
    if (closed) throw new InspectorBusy();
    const thread = idle.pop();
    if (thread) return thread;
    if (waiting.length >= queue) throw new InspectorBusy();
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  }

  async function close(): Promise<void> {
    closed = true;
    for (const each of waiting.splice(0)) each.reject(new InspectorBusy());
    await Promise.all(threads.map((thread) => thread.close()));
  }

  return { decode, close };
}
