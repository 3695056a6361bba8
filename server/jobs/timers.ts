import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isDiskFull } from '../db/public.ts';

export type Job = {
  name: string;
  everyMs: number;
  /** Work of many steps checks `stopping` between two steps. */
  run(stopping: AbortSignal): Promise<unknown>;
};

export type Jobs = {
  /** Waits for the runs in progress, at most 25 s. */
  stop(): Promise<void>;
};

// The longest run, the ledger's check, takes minutes on millions of journals.
const STUCK_MS = 15 * 60_000;
// How long a shutdown waits for runs: as long as for requests.
const STOP_MS = 25_000;

export type JobOptions = {
  stuckMs?: number;
  stopMs?: number;
  /** Called with the name of a job that was abandoned. */
  onStuck?: (name: string) => void;
};

/**
 * Runs each job repeatedly, never twice at the same time in this process. Several processes may run the same jobs,
 * because the work claims its rows. A failure is logged, and the next run tries again. A run that hangs for 15 minutes
 * is abandoned, for example when the driver lost its statement with the connection. Its leases expire, and the next run
 * takes over.
 */
export function startJobs(
  jobs: Job[],
  log: Logger,
  { stuckMs = STUCK_MS, stopMs = STOP_MS, onStuck = () => {} }: JobOptions = {},
): Jobs {
  const stopping = new AbortController();
  const loops = jobs.map((job) => loop(job, log, stopping.signal, { stuckMs, onStuck }));
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

async function loop(
  job: Job,
  log: Logger,
  stopping: AbortSignal,
  { stuckMs, onStuck }: { stuckMs: number; onStuck: (name: string) => void },
): Promise<void> {
  const { name } = job;
  while (!stopping.aborted) {
    try {
      await withLimit(job.run(stopping), stuckMs);
    } catch (error) {
      if (error instanceof Stuck) {
        log.error({ job: name, alert: 'job_stuck' }, 'job hangs; it is started again');
        onStuck(name);
      } else {
        const alert = isDiskFull(error) ? { alert: 'database_full' } : {};
        log.error({ job: name, ...alert, err: error }, 'job failed');
      }
    }
    await sleep(job.everyMs, undefined, { signal: stopping, ref: false }).catch(() => {});
  }
}

class Stuck extends Error {}

/** Rejects with Stuck after `limitMs`. A later result or failure of `work` is ignored. */
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
