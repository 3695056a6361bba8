import { createDecodeProcess } from './decode-process.ts';
import type { DecodeProcess, Outcome, PictureAnswer, PictureJob, PictureLimits } from './decode-process.ts';

export type DecodePoolOptions = PictureLimits & {
  workers: number;
  queue: number;
  /** The time after which a process counts as stopped. */
  stalledMs?: number;
};

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

/** Creates a fixed number of processes that run one script, behind a queue of bounded length. */
export function createDecodePool<Job extends PictureJob, Answer extends PictureAnswer>(
  script: URL,
  { workers, queue, stalledMs, ...limits }: DecodePoolOptions,
): DecodePool<Job, Answer> {
  const processes = Array.from({ length: workers }, () => createDecodeProcess<Job, Answer>(limits, script, stalledMs));
  const idle = [...processes];
  const waiting: { resolve: (free: DecodeProcess<Job, Answer>) => void; reject: (error: Error) => void }[] = [];
  let closed = false;

  async function decode(job: Job): Promise<Outcome<Answer>> {
    const taken = await take();
    try {
      const first = await taken.decode(job);
      // A system that is short of memory kills decoders, too. Only a second crash blames the picture.
      const outcome = first === 'crash' && !closed ? await taken.decode(job) : first;
      // `close` ended the process, so its end says nothing about the picture.
      if (closed && typeof outcome === 'string') throw new InspectorBusy();
      return outcome;
    } finally {
      const next = waiting.shift();
      if (next) next.resolve(taken);
      else idle.push(taken);
    }
  }

  async function take(): Promise<DecodeProcess<Job, Answer>> {
    if (closed) throw new InspectorBusy();
    const free = idle.pop();
    if (free) return free;
    if (waiting.length >= queue) throw new InspectorBusy();
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  }

  async function close(): Promise<void> {
    closed = true;
    for (const each of waiting.splice(0)) each.reject(new InspectorBusy());
    await Promise.all(processes.map((each) => each.close()));
  }

  return { decode, close };
}
