import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

export type Job = {
  name: string;
  everyMs: number;
  /** Work of many steps ends between two of them once it is told to stop. */
  run(stopping: AbortSignal): Promise<unknown>;
};

export type Jobs = {
  /** Waits for the runs that are under way, but not for one that has stopped answering. */
  stop(): Promise<void>;
};

// A round of the ledger's check takes minutes on millions of journals; nothing else comes near.
const STUCK_MS = 15 * 60_000;
// What is under way when the process ends: as long as its requests have.
const STOP_MS = 25_000;

/**
 * Runs each job again and again, never twice at once in this process. The work itself claims its rows, so several
 * processes may run the same jobs; a failure is logged and the next round tries again. A run that hangs, as one would
 * whose statement the driver lost with its connection, is given up after a while and not waited for at the end: its leases
 * run out, and the next run finds what it left.
 */
export function startJobs(jobs: Job[], log: Logger, { stuckMs = STUCK_MS, stopMs = STOP_MS } = {}): Jobs {
  const stopping = new AbortController();
  const loops = jobs.map((job) => loop(job, log, stopping.signal, stuckMs));
  return {
    async stop() {
      stopping.abort();
      const over = new AbortController();
      const patience = sleep(stopMs, undefined, { signal: over.signal }).catch(() => {});
      await Promise.race([Promise.all(loops), patience]);
      over.abort();
    },
  };
}

async function loop(job: Job, log: Logger, stopping: AbortSignal, stuckMs: number): Promise<void> {
  while (!stopping.aborted) {
    try {
      await withLimit(job.run(stopping), stuckMs);
    } catch (error) {
      if (error instanceof Stuck) log.error({ job: job.name, alert: 'job_stuck' }, 'job hangs; it is started anew');
      else log.error({ job: job.name, err: error }, 'job failed');
    }
    await sleep(job.everyMs, undefined, { signal: stopping, ref: false }).catch(() => {});
  }
}

class Stuck extends Error {}

/** What comes of the work after its time is nobody's any more, its failure included. */
async function withLimit(work: Promise<unknown>, limitMs: number): Promise<void> {
  const over = Promise.withResolvers<never>();
  const timer = setTimeout(() => over.reject(new Stuck()), limitMs);
  timer.unref();
  work.catch(() => {});
  try {
    await Promise.race([work, over.promise]);
  } finally {
    clearTimeout(timer);
  }
}
