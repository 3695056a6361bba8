import { createDecodeThread } from './decode-thread.ts';
import type { DecodeJob, DecodeOutcome, DecodeThread } from './decode-thread.ts';

export type DecodePoolOptions = { workers: number; queue: number; timeoutMs: number };

/** More pictures wait than the queue holds, or the process is ending: nothing was judged, try again. */
export class InspectorBusy extends Error {
  constructor() {
    super('too many pictures are being inspected');
    this.name = 'InspectorBusy';
  }
}

/** A fixed number of threads and a queue of bounded length before them. */
export function createDecodePool({ workers, queue, timeoutMs }: DecodePoolOptions) {
  const threads = Array.from({ length: workers }, () => createDecodeThread(timeoutMs));
  const idle = [...threads];
  const waiting: { resolve: (thread: DecodeThread) => void; reject: (error: Error) => void }[] = [];
  let closed = false;

  async function decode(job: DecodeJob): Promise<DecodeOutcome> {
    const thread = await take();
    try {
      const outcome = await thread.decode(job);
      // A thread that was ended from outside says nothing about the picture.
      if (closed && typeof outcome === 'string') throw new InspectorBusy();
      return outcome;
    } finally {
      const next = waiting.shift();
      if (next) next.resolve(thread);
      else idle.push(thread);
    }
  }

  async function take(): Promise<DecodeThread> {
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
